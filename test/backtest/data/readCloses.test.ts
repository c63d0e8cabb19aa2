import { expect, test } from 'vitest';
import { readCloses } from '../../../backtest/data/index.ts';
import { writeFiles, zipOf } from './writeFiles.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 1);

/** A Binance archive's rows: bars from a minute on, each with its minute as its close. */
function klines(from: number, stepMs = MINUTE_MS): string {
  return [0, 1, 2]
    .map((at) => {
      const [open, price] = [START + from * MINUTE_MS + at * stepMs, 100 + from + at];
      return `${open},${price},${price},${price},${price},1,${open + stepMs - 1},${price},1,1,${price},0`;
    })
    .join('\n');
}

async function closesOf(files: Record<string, string>) {
  const entries = Object.entries(files).map(([name, text]) => ({ name, text }));
  const [path] = await writeFiles({ 'closes.zip': zipOf(entries) });
  return readCloses(path!);
}

test('the parts of a file and the rows of a table are put in the order of time', async () => {
  const read = await closesOf({
    'BTCUSDT-1m-2026-01-02.csv': klines(3),
    'BTCUSDT-1m-2026-01-01.csv': klines(0),
  });
  const expected = [0, 1, 2, 3, 4, 5].map((at) => [START + (at + 1) * MINUTE_MS, 100 + at]);
  expect(read).toEqual({ ok: true, value: expected });
  const rows = '2026-01-03 00:00:00,3\n2026-01-01 00:00:00,1\n2026-01-02 00:00:00,2\n';
  const [table] = await writeFiles({ 'spx.csv': `date,close\n${rows}` });
  expect(await readCloses(table!)).toMatchObject({
    value: [1, 2, 3].map((close) => [expect.any(Number), close]),
  });
});

test.each([
  ['markets', 'ETHUSDT-1m-2026-01-01.csv', klines(0), /holds bars of BTC\S* 1m and ETH\S* 1m/],
  [
    'intervals',
    'BTCUSDT-1h-2026-01-01.csv',
    klines(9, 3_600_000),
    /holds bars of BTC\S* 1m and BTC\S* 1h/,
  ],
])('a file of two %s is refused', async (_what, name, text, message) => {
  const read = await closesOf({ 'BTCUSDT-1m-2026-01-01.csv': klines(0), [name]: text });
  expect(read.ok).toBe(false);
  expect(JSON.stringify(read)).toMatch(message);
});

test('a table is read by each usual name of its columns, in any case', async () => {
  const times = ['time', 'timestamp', 'date', 'datetime', 'ts', 't'];
  const closes = ['close', 'price', 'value', 'adj close'];
  const heads = times.flatMap((time) => closes.map((close) => `${time},${close}`));
  for (const head of [...heads, ...heads.map((one) => one.toUpperCase())]) {
    const [path] = await writeFiles({ 'spx.csv': `${head}\n${START},7\n${START + MINUTE_MS},8\n` });
    const value = [
      [START, 7],
      [START + MINUTE_MS, 8],
    ];
    expect(await readCloses(path!), head).toEqual({ ok: true, value });
  }
});

test('a table of two markets is refused at the first row of the second', async () => {
  const [path] = await writeFiles({
    'spx.csv': 'date,symbol,close\n2026-01-01 00:00:00,SPX,100\n2026-01-02 00:00:00,NDX,9\n',
  });
  const read = await readCloses(path!);
  expect(read).toMatchObject({ ok: false, problem: { line: 3 } });
});

test('a date without dashes is that date: its close is known when the day ends', async () => {
  const lines = (dates: readonly string[]): string =>
    ['date,close', ...dates.map((date, at) => `${date},${100 + at}`)].join('\n');
  const dates = ['2026-01-30', '2026-01-31', '2026-02-01'];
  const [plain, dashed] = await writeFiles({
    'plain.csv': lines(dates.map((date) => date.replaceAll('-', ''))),
    'dashed.csv': lines(dates),
  });
  const read = await readCloses(plain!);
  expect(read).toEqual(await readCloses(dashed!));
  expect(read).toMatchObject({ value: [[Date.UTC(2026, 0, 31), 100], {}, {}] });
});

test('a close is above zero', async () => {
  const flat = klines(0).replaceAll(/,100(?=,)/g, ',0');
  const [zero, table] = await writeFiles({
    'BTCUSDT-1m-2026-01-01.csv': flat,
    'spx.csv': 'date,close\n2026-01-01,5\n2026-01-02,0\n',
  });
  expect(await readCloses(zero!)).toMatchObject({
    problem: { message: 'has a bar with the close 0.' },
  });
  expect(await readCloses(table!)).toMatchObject({
    problem: { line: 3, message: 'is not a price.' },
  });
});
