import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { lineOf } from './answerLine.ts';

/** What the running test has left so far, by section. */
interface Notes {
  sections: Map<string, string[]>;
  isDrawn: boolean;
}

/** Takes down what passes a kit's ports. */
export interface TestNotes {
  note(section: string, ...values: unknown[]): void;
  /** Notes down at the end of the test what it left. */
  atEnd(section: string, read: () => readonly unknown[]): void;
}

let running: Notes | undefined;
const DIGITS = 10;

// Drawn cases are others in each run: nothing of such a test can be compared.
const mark = (): void => {
  if (running !== undefined) running.isDrawn = true;
};
fc.configureGlobal({ ...fc.readConfigureGlobal(), beforeEach: mark });

/**
 * For the kits with which tests set up a part of a bot in virtual time: what the part sent, reported and journaled in a
 * test is compared with what it was before, beside what the test itself expects. A difference makes the test fail, and
 * `npx vitest run FILE -u` takes it over.
 */
export function noteTest(): TestNotes {
  // A kit may be used outside of a test, for all tests of a file.
  if (expect.getState().currentTestName === undefined) return { note() {}, atEnd() {} };
  const notes = running ?? begin();
  const { sections } = notes;
  const note = (section: string, ...values: unknown[]): void => {
    const lines = sections.get(section) ?? [];
    sections.set(section, lines);
    lines.push(lineOf(values));
  };
  return {
    note,
    atEnd: (section, read) => onTestFinished(() => void read().map((one) => note(section, one))),
  };
}

function begin(): Notes {
  const notes: Notes = { sections: new Map(), isDrawn: false };
  running = notes;
  onTestFinished(({ task, expect: expectHere }) => {
    running = undefined;
    if (notes.isDrawn || task.result?.state === 'fail') return;
    const rows = [...notes.sections].map(([section, lines]) => {
      const hash = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, DIGITS);
      return `${section} ${lines.length} ${hash}`;
    });
    expectHere(rows.toSorted().join(', ')).toMatchSnapshot('left');
  });
  return notes;
}
