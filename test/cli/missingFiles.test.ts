import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-missing-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
const bot = (use: string, feed: string): string => `name: b
link: { kind: paper }
paper: { feeds: [{ symbol: BTC, interval: 1m, ${feed} }] }
journal: { path: memory }
strategies: [{ use: ${use}, symbols: [BTC], name: s }]
`;
for (const [name, text] of [
  ['trend.yaml', ''],
  ['prices.csv.gz', ''],
  ['figures.json', ''],
  ['friday.recording', ''],
  ['bot.sqlite', ''],
  ['trendy.ts', ''],
  ['misspeltUse.yaml', bot('./trndy.ts', 'generate: { bars: 600 }')],
  ['misspeltFeed.yaml', bot(join(root, 'test/cli/plants/neverTrades.ts'), 'path: ./prics.csv.gz')],
] as const)
  writeFileSync(at(name), text);

test.each([
  ['run', ['tren.yaml'], 'trend.yaml'],
  ['backtest', ['tren.yaml'], 'trend.yaml'],
  ['check', ['tren.yaml'], 'trend.yaml'],
  ['sweep', ['tren.yaml', '--param', 'x=1,2'], 'trend.yaml'],
  ['status', ['tren.yaml'], 'trend.yaml'],
  ['kill L1', ['tren.yaml'], 'trend.yaml'],
  ['paper --config', ['tren.yaml'], 'trend.yaml'],
  ['journal list', ['tren.yaml'], 'trend.yaml'],
  ['journal list', ['bott.sqlite'], 'bot.sqlite'],
  ['journal verify', ['bott.sqlite'], 'bot.sqlite'],
  ['data check', ['prices.csv'], 'prices.csv.gz'],
  ['data show', ['price.csv.gz'], 'prices.csv.gz'],
  ['data import', ['price.csv.gz', '--out', 'x.csv.gz'], 'prices.csv.gz'],
  ['compare', ['figure.json', 'figures.json'], 'figures.json'],
  ['replay', ['fridy.recording'], 'friday.recording'],
  ['diff', ['fridy.recording', 'friday.recording'], 'friday.recording'],
  ['backtest', ['misspeltUse.yaml'], 'trendy.ts'],
  ['backtest', ['misspeltFeed.yaml'], 'prices.csv.gz'],
  ['run', ['misspeltFeed.yaml'], 'prices.csv.gz'],
])('%s %j names the file that was probably meant', async (command, [first, ...rest], meant) => {
  const { code, err } = await runMain(...command.split(' '), at(first!), ...rest);
  expect(code).toBe(command === 'status' ? 3 : 1);
  expect(err.replaceAll(`${folder}/`, '').replaceAll('./', '')).toContain(`Did you mean ${meant}?`);
});

test('a folder that does not exist is named instead', async () => {
  const { err } = await runMain('data', 'check', at('nowhere/prices.csv'));
  expect(err).toContain(`There is no folder ${at('nowhere')} either.`);
});

test('files that are quite different are not offered', async () => {
  const { err } = await runMain('data', 'check', at('x.parquet'));
  expect(err).toContain('Check the path of the data.');
});

test('what belongs to a file that is gone is not meant: its lock, its log, its pulse, a part', async () => {
  const alone = mkdtempSync(join(tmpdir(), 'trimtab-missing-'));
  onTestFinished(() => rmSync(alone, { recursive: true }));
  const gone = join(alone, 'gone.sqlite');
  for (const ending of ['.lock', '-wal', '-shm', '.pulse.json', '.7.part', '.new'])
    writeFileSync(`${gone}${ending}`, '');
  const { err } = await runMain('journal', 'list', gone);
  expect(err).not.toContain('Did you mean');
  expect(err).toContain('`journal:`');
  writeFileSync(`${gone}.previous`, '');
  const aside = await runMain('journal', 'list', gone);
  expect(aside.err).toContain(`Did you mean ${gone}.previous?`);
});
