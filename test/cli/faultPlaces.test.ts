import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runBacktest } from '../../backtest/programs/index.ts';
import { read, root } from '../sourceFiles.ts';
import faulty from './plants/faulty.ts';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-faulty-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plant = join(root, 'test/cli/plants/faulty.ts');
const lineOf = (text: string): number =>
  read('test/cli/plants/faulty.ts')
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1;
const feed = { symbol: 'BTC', interval: '1m', generate: { seed: 8, bars: 200 } } as const;

function bot(how: string): string {
  const file = join(folder, `${how}.yaml`);
  writeFileSync(
    file,
    `name: faulty
link: { kind: paper }
paper: { speed: max, warmup: 0, feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 8, bars: 200 } }] }
journal: { path: memory }
strategies: [{ name: bad, use: ${plant}, symbols: [BTC], params: { how: ${how} } }]
`,
  );
  return file;
}

test('malformed intents have one line with the place in the plugin, and are counted', async () => {
  const { err } = await runMain('backtest', bot('malformed'), '--no-report');
  const lines = err
    .split('\n')
    .filter((line) => line.includes('TRIMTAB_STRATEGY_MALFORMED_INTENT'));
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain(`faulty.ts:${lineOf('out.next(wrong)')}:`);
  expect(lines[1]).toMatch(/10 times so far/);
  expect(lines[2]).toMatch(/100 times so far/);
});

test.each([
  ['no_value', 'silent() })', /The indicator silent gave NaN/],
  ['kernel', "throw new Error('no bar", /The indicator throwing failed at .*no bar for me/],
  [
    'uncalled',
    'withIndicators({ wide',
    /wide is a function that was not called: write wide: \w+\(…\)/,
  ],
  [
    'uncalled_ema',
    'withIndicators({ wide',
    /wide is a function that was not called: write wide: ema\(…\)/,
  ],
  ['piped', 'silent as never', /silent.*Call it: pipe\(silent\(/],
  ['piped_ema', 'ema as never', /ema was not called: write pipe\(ema\(…\)\)/],
])('%s is reported with its line, by the command and by a program', async (how, code, message) => {
  const place = `faulty.ts:${lineOf(code)}:`;
  const { err } = await runMain('backtest', bot(how), '--no-report');
  expect(err).toMatch(message);
  expect(err).toContain(place);
  const params = { how };
  const error = await runBacktest({ strategy: faulty, feeds: [feed], params }).catch(
    (thrown: unknown) => thrown as Error,
  );
  expect((error as Error).message).toMatch(message);
  expect((error as Error).message).toContain(`${plant}:${lineOf(code)}:`);
});
