import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { FailureCode } from '../../src/contract/index.ts';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-calls-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plugin = join(root, 'test/cli/plants/callsWrongly.ts');

function bot(by: string, more: string): string {
  const file = join(folder, 'bot.yaml');
  writeFileSync(
    file,
    `name: wrong
link: { kind: paper }
paper: { speed: max, warmup: 0, feeds: [{ symbol: BTC, interval: 1m, generate: { bars: 100 } }] }
journal: memory
strategies: [{ name: mine, use: ${plugin}, symbols: [BTC], params: { by: ${by} }${more} }]
`,
  );
  return file;
}

const CALLS: ReadonlyArray<[by: string, code: FailureCode]> = [
  ['interval', 'TRIMTAB_INTERVAL_UNKNOWN'],
  ['every', 'TRIMTAB_INTERVAL_UNKNOWN'],
  ['instrument', 'TRIMTAB_SYMBOL_UNLISTED'],
  ['warmup', 'TRIMTAB_PLUGIN_DEFINITION'],
  ['task', 'TRIMTAB_TASK_TIME'],
  ['state', 'TRIMTAB_STATE_INVALID'],
  ['extremes', 'TRIMTAB_INDICATOR_PARAMETER'],
  ['row', 'TRIMTAB_INDICATOR_PARAMETER'],
  ['resample', 'TRIMTAB_OPERATOR_BARS'],
];

test.each(CALLS)('a wrong call of a plugin (%s) has the code %s', async (by, code) => {
  const { out, err } = await runMain('backtest', bot(by, ''), '--no-report');
  expect(out + err).toContain(`[${code}]`);
});

test('the code of a wrong call comes out of the worker', async () => {
  const { out, err } = await runMain(
    'backtest',
    bot('state', ', isolation: worker'),
    '--no-report',
  );
  expect(out + err).toContain('[TRIMTAB_STATE_INVALID]');
});
