import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkLoaded } from '../../../src/cli/runs/checkLoaded.ts';
import { CommandFailure } from '../../../src/cli/failures/CommandFailure.ts';
import { createLateFailures } from '../../../src/cli/failures/createLateFailures.ts';
import { showPaperRun } from '../../../src/cli/output/showPaperRun.ts';
import { loadConfig } from '../../../src/config/index.ts';
import type { PaperRun } from '../../../src/operate/run/index.ts';
import { sampleReport } from '../../operate/sampleReport.ts';
import { root } from '../../sourceFiles.ts';

/** What is written meanwhile. */
function hush() {
  const said: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation((text) => !!said.push(String(text)));
    onTestFinished(() => spy.mockRestore());
  }
  return said;
}

test('a stop during the check of a run ends it at the next backtest, and leaves the run', async () => {
  const said = hush();
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-late-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const recording = join(folder, 'seen.jsonl');
  writeFileSync(recording, 'of the bot');
  const bars = ['paper.feeds[0].generate.bars=1300', 'paper.feeds[1].generate.bars=1300'];
  const overrides = {
    onPaper: true,
    journal: 'memory',
    set: [...bars, `record=${recording}`],
  } as const;
  const loaded = await loadConfig(join(root, 'configs/demo.yaml'), { overrides });
  if (!loaded.ok) throw new Error('the demo is refused');
  expect(loaded.config.record).toBe(recording);
  const checked = checkLoaded(
    loaded,
    {},
    () => said.filter((line) => line.includes('checking')).length > 1,
  );
  await expect(checked).rejects.toMatchObject({ code: 'TRIMTAB_INTERRUPTED', exitCode: 130 });
  expect(said.filter((line) => line.includes('checking'))).toHaveLength(2);
  // What the bot records is the bot's.
  expect(readFileSync(recording, 'utf8')).toBe('of the bot');
});

const lists = {
  quarantined: [],
  malformed: 0,
  suppressed: [],
  refusals: [],
  delays: [],
  lives: [],
};

/** A run whose figures can't be written as JSON. */
function unwritableRun(error: Error): PaperRun {
  const refuse = (): never => {
    throw error;
  };
  const data = { ...sampleReport(100), benchmark: { name: 'x', closes: [], toJSON: refuse } };
  return { ...lists, data, unequal: [], about: () => ({}) } as unknown as PaperRun;
}

test('figures that are longer than a text can be fail after the page and the verdicts', async () => {
  const said = hush();
  const json = join(tmpdir(), 'run.json');
  const error = new RangeError('Invalid string length');
  const run = unwritableRun(error);
  await expect(showPaperRun(run, { file: null, json })).rejects.toMatchObject({
    message: expect.stringMatching(/run\.json is not written.*512 MB/) as string,
    cause: error,
  });
  expect(said.join('')).not.toContain('512 MB');
  const ended = { ...run, quarantined: ['one ended'] } as PaperRun;
  await expect(showPaperRun(ended, { file: null, json })).rejects.toThrow('one ended');
  // The verdict has the exit code, and takes the place of no other message.
  expect(said.join('')).toMatch(/512 MB.*TRIMTAB_OUTPUT_UNWRITABLE/s);
});

test('only a text that is too long is one: another RangeError is a fault of the program', async () => {
  hush();
  const error = new RangeError('Invalid array length');
  const shown = showPaperRun(unwritableRun(error), { file: null, json: join(tmpdir(), 'x.json') });
  await expect(shown).rejects.toBe(error);
});

test('each late failure is said once, and the last work decides on the exit code', async () => {
  const said = hush();
  const late = createLateFailures();
  const fail = (name: string) => (): never => {
    throw new CommandFailure('TRIMTAB_DATA_REFUSED', name);
  };
  expect(await late.of(() => 7)).toBe(7);
  expect(await late.of(fail('first'))).toBeUndefined();
  await late.of(fail('second'));
  await expect(late.end(() => {})).rejects.toThrow('first');
  expect(said.join('')).toMatch(/^trimtab: second\n\(TRIMTAB_DATA_REFUSED: .*\)\n$/);
  await expect(late.end(fail('verdict'))).rejects.toThrow('verdict');
  expect(said.slice(1).map((text) => text.split('\n')[0])).toEqual([
    'trimtab: first',
    'trimtab: second',
  ]);
  await expect(late.of(() => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
});
