import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkLoaded } from '../../src/cli/checkLoaded.ts';
import { showPaperRun } from '../../src/cli/showPaperRun.ts';
import { loadConfig } from '../../src/config/index.ts';
import type { PaperRun } from '../../src/operate/run/index.ts';
import { sampleReport } from '../operate/sampleReport.ts';
import { root } from '../sourceFiles.ts';

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
  const overrides = {
    onPaper: true,
    journal: 'memory',
    set: ['paper.feeds[0].generate.bars=1300', 'paper.feeds[1].generate.bars=1300'],
  } as const;
  const loaded = await loadConfig(join(root, 'configs/demo.yaml'), { overrides });
  if (!loaded.ok) throw new Error('the demo is refused');
  const checked = checkLoaded(
    loaded,
    {},
    () => said.filter((line) => line.includes('checking')).length > 1,
  );
  await expect(checked).rejects.toMatchObject({ code: 'TRIMTAB_INTERRUPTED', exitCode: 130 });
  expect(said.filter((line) => line.includes('checking'))).toHaveLength(2);
});

test('figures that are longer than a text can be fail after the page and the verdicts', async () => {
  hush();
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-late-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const long = (): never => {
    throw new RangeError('Invalid string length');
  };
  const data = { ...sampleReport(100), benchmark: { name: 'x', closes: [], toJSON: long } };
  const lists = {
    quarantined: [],
    malformed: 0,
    suppressed: [],
    refusals: [],
    delays: [],
    lives: [],
  };
  const run = { ...lists, data, unequal: [], about: () => ({}) } as unknown as PaperRun;
  const json = join(folder, 'run.json');
  await expect(showPaperRun(run, { file: null, json })).rejects.toThrow(
    /run\.json is not written.*512 MB/,
  );
  const ended = { ...run, quarantined: ['one ended'] } as PaperRun;
  await expect(showPaperRun(ended, { file: null, json })).rejects.toThrow('one ended');
});
