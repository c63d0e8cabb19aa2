import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../sourceFiles.ts';

/** What a case left: lines of text by section, such as the frames, the answers, the log. */
export type Outcome = ReadonlyMap<string, readonly string[]>;

/** A folder that receives the whole text of each case, so that two commits can be compared by `diff -r`. */
const TEXTS = process.env['TRIMTAB_RECORDED'];
const DIGITS = 10;
/** How much of the texts behind changed rows an error shows: the machine that ran the test may be gone by then. */
const [SHOWN_LINES, SHOWN_LENGTH] = [150, 160];

/**
 * Compares outcomes with those that `test/recorded/outcomes/NAME.txt` holds: a row for each case and section with its number of
 * lines and their hash. Every change of behaviour that a case can show makes a row differ. Whoever meant the change
 * writes the file anew, `npx vitest run test/recorded -u`, and reviews which rows it moved;
 * `TRIMTAB_RECORDED=/tmp/after npx vitest run test/recorded` writes the texts behind the hashes.
 *
 * @param outcomes by the name of their case, in the order of the file
 */
export async function expectRecorded(
  name: string,
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<void> {
  const rows = new Map<string, readonly string[]>();
  for (const [about, outcome] of outcomes) {
    if (TEXTS !== undefined) writeTexts(join(TEXTS, name, about), outcome);
    for (const [section, lines] of outcome) {
      const hash = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, DIGITS);
      rows.set(`${about} | ${section} | ${lines.length} | ${hash}`, lines);
    }
  }
  const text = `${[...rows.keys()].join('\n')}\n`;
  try {
    await expect(text).toMatchFileSnapshot(`outcomes/${name}.txt`);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${changedTexts(name, rows)}`, { cause: error });
  }
}

function changedTexts(name: string, rows: ReadonlyMap<string, readonly string[]>): string {
  const path = join(root, `test/recorded/outcomes/${name}.txt`);
  const before = new Set(existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []);
  return [...rows]
    .filter(([row]) => !before.has(row))
    .flatMap(([row, lines]) => [`Now, ${row}:`, ...lines])
    .slice(0, SHOWN_LINES)
    .map((line) => line.slice(0, SHOWN_LENGTH))
    .join('\n');
}

function writeTexts(folder: string, outcome: Outcome): void {
  mkdirSync(folder, { recursive: true });
  for (const [section, lines] of outcome) {
    writeFileSync(join(folder, `${section.replaceAll('/', ' ')}.txt`), `${lines.join('\n')}\n`);
  }
}
