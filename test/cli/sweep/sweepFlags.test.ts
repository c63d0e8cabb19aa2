import { expect, test } from 'vitest';
import { runMain } from '../runMain.ts';

/** No file is read: what is wrong is found before. */
const sweep = (...argv: string[]) => runMain('sweep', 'nowhere.yaml', '--param', 'a=1', ...argv);

const WORKERS = [
  ['--engine', 'postgres://x/y'],
  ['--key', 'a.key'],
  ['--serve', '127.0.0.1:1'],
  ['--content', 'file:///tmp/x'],
  ['--pack', 'packed'],
];
const SHOWN = [['--reports', '2'], ['--top', '3'], ['--parquet'], ['--force']];
const IGNORED: ReadonlyArray<readonly [flag: string, value: string, others: string[][]]> = [
  ['--shard', '1/3', [...WORKERS, ...SHOWN]],
  ['--within', '1h', [...WORKERS, ...SHOWN, ['--out', 'x.sqlite']]],
  [
    '--merge',
    'a.sqlite',
    [
      ...WORKERS,
      ['--random', '2'],
      ['--objective', 'pnl'],
      ['--timerange', '20250101-20250102'],
      ['--walk-forward', 'rolling'],
      ['--train', '1d'],
      ['--test', '1d'],
      ['--feed', 'BTC@1m=x.csv'],
      ['--set', 'a=1'],
      ['--seed', '1'],
      ['--within', '1h'],
      ['--shard', '1/2'],
    ],
  ],
];

test.each(IGNORED)('%s refuses every flag that it would ignore', async (flag, value, others) => {
  for (const other of others) {
    const argv = flag === '--merge' ? ['sweep', ...other, flag, value] : undefined;
    const { code, err } = await (argv === undefined
      ? sweep(flag, value, ...other)
      : runMain(...argv));
    const words = `${other[0]} has no effect with ${flag}.`;
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  }
});

test('a key without workers is refused', async () => {
  const { code, err } = await sweep('--key', 'a.key');
  expect([code, err]).toEqual([2, expect.stringContaining('--key is for workers')]);
});

test.each(['0', '-1', '1.5', '', '12345678', 'all'])(
  '%j is no number of threads',
  async (count) => {
    const { code, err } = await sweep(`--threads=${count}`);
    expect([code, err]).toEqual([2, expect.stringContaining('a whole number of at least 1')]);
  },
);

test.each([
  ['--train', '20', 'days or hours'],
  ['--test', '0d', 'days or hours'],
  ['--train', '30min', 'days or hours'],
  ['--within', '0h', 'minutes, hours or days'],
])('%s %s is refused, with what is possible', async (flag, value, words) => {
  const { code, err } = await sweep(flag, value);
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});
