import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INTERVAL_MS, type Interval } from '../../../src/contract/index.ts';
import { checkCandle } from '../../../src/paper/feed/checkCandle.ts';
import { percentHint } from '../../../src/paper/feed/checkRates.ts';
import { decodeCache } from '../../../src/paper/feed/decodeCache.ts';
import { encodeCache } from '../../../src/paper/feed/encodeCache.ts';
import { describeFeedProblem } from '../../../src/paper/feed/FeedProblem.ts';
import { generateFeed } from '../../../src/paper/feed/generateFeed.ts';
import { headerlessTrades } from '../../../src/paper/feed/headerlessTrades.ts';
import { loadFundingFile } from '../../../src/paper/feed/loadFundingFile.ts';
import { loadTape } from '../../../src/paper/feed/loadTape.ts';
import { marketOfName } from '../../../src/paper/feed/marketOfName.ts';
import { parseFeedFlag } from '../../../src/paper/feed/parseFeedFlag.ts';
import { parseTapeFlag } from '../../../src/paper/feed/parseTapeFlag.ts';
import { readPlainFile } from '../../../src/paper/feed/readPlainFile.ts';
import { writeFiles, zipOf } from '../../backtest/data/writeFiles.ts';
import { holdLaw } from '../../holdLaw.ts';

const START = 1_725_148_800_000;

/** Runs on files of these contents, and removes them. */
async function withFiles<T>(
  contents: Readonly<Record<string, string | Uint8Array>>,
  run: (paths: string[]) => Promise<T>,
): Promise<T> {
  const paths = await writeFiles(contents);
  try {
    return await run(paths);
  } finally {
    await rm(dirname(paths[0]!), { recursive: true });
  }
}

test('a generated feed is sound, begins at its boundary, and lacks as much as it is asked to', async () => {
  const options = fc.record({
    interval: fc.constantFrom<Interval>('1m', '5m', '1h', '1d'),
    seed: fc.integer(),
    off: fc.integer({ min: 0, max: 3_599_999 }),
    startPrice: fc.constantFrom(0.00012345, 0.5, 3, 100, 61_000),
    volatilityBps: fc.constantFrom(2, 8, 200),
    outageEveryBars: fc.constantFrom(0, 0, 7),
  });
  await holdLaw(60, options, ({ off, interval, outageEveryBars, ...rest }) => {
    const startTime = START + off;
    const feed = generateFeed({
      symbol: 'BTC',
      interval,
      bars: 60,
      startTime,
      outageEveryBars,
      ...rest,
    });
    const step = INTERVAL_MS[interval];
    expect(feed.time[0]).toBe(Math.floor(startTime / step) * step);
    for (let row = 0; row < 60; row++) {
      expect(
        checkCandle(feed, row, interval),
        JSON.stringify({ off, interval, ...rest }),
      ).toBeNull();
      if (row === 0) continue;
      // An outage lasts eight bars.
      const isAfterOutage = outageEveryBars > 0 && row % outageEveryBars === 0;
      expect(feed.time[row]! - feed.time[row - 1]!).toBe(step * (isAfterOutage ? 9 : 1));
    }
    if (rest.volatilityBps < 200) return;
    const isFine = new Set(feed.close).size > 10;
    expect(isFine, 'prices move by ticks that are small beside them').toBe(true);
  });
});

test('bars that are missing are one to three, each as often, and other seeds, symbols and intervals are other tapes', () => {
  const options = {
    symbol: 'BTC',
    interval: '1m',
    bars: 3_000,
    seed: 1,
    startTime: START,
    startPrice: 100,
  } as const;
  const feed = generateFeed({ ...options, missingShare: 0.2 });
  const gaps = [...feed.time].slice(1).map((time, at) => (time - feed.time[at]!) / 60_000 - 1);
  const countOf = (length: number): number => gaps.filter((gap) => gap === length).length;
  expect(Math.max(...gaps)).toBe(3);
  for (const length of [1, 2, 3]) expect(Math.abs(countOf(length) - 200)).toBeLessThan(60);
  const closes = [
    options,
    { ...options, seed: 2 },
    { ...options, symbol: 'ETH' },
    { ...options, interval: '5m' as const },
  ];
  expect(new Set(closes.map((each) => generateFeed(each).close.join())).size).toBe(4);
  expect(generateFeed(options)).toEqual(generateFeed({ ...options }));
});

test('a cache is read only if version, checksum and length are what was written', async () => {
  const column = (): Float64Array => Float64Array.of(START, START + 60_000);
  const columns = {
    time: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  const bytes = encodeCache({ kind: 'bars', symbol: 'BTC', interval: '1m', source: 'x', columns });
  expect(decodeCache(bytes, 'x')).toMatchObject({ ok: true, value: { columns } });
  // As a part of a longer buffer, at any address.
  for (let pad = 0; pad < 9; pad++) {
    const padded = new Uint8Array(bytes.length + 2 * pad);
    padded.set(bytes, pad);
    expect(decodeCache(padded.subarray(pad, pad + bytes.length), 'x')).toMatchObject({
      ok: true,
      value: { columns },
    });
  }
  for (const version of [0, 2, 256]) {
    const other = new Uint8Array(bytes);
    new DataView(other.buffer).setUint32(8, version, true);
    expect(decodeCache(other, 'x')).toMatchObject({
      ok: false,
      problem: { message: /is of version/ },
    });
  }
  await holdLaw(100, fc.integer({ min: 12, max: bytes.length - 1 }), (at) => {
    const other = new Uint8Array(bytes);
    other[at]! ^= 1;
    expect(decodeCache(other, 'x').ok).toBe(false);
  });
  for (const length of [0, 7, 19, 20, bytes.length - 8, bytes.length - 1]) {
    expect(decodeCache(bytes.subarray(0, length), 'x').ok).toBe(false);
  }
  const longer = new Uint8Array(bytes.length + 8);
  longer.set(bytes);
  expect(decodeCache(longer, 'x').ok).toBe(false);
});

test('funding is ascending, each time once, and numbers alone', async () => {
  const hour = (at: number): number => START + at * 3_600_000;
  const fileOf = (...rows: string[]): string => ['timestamp,funding_rate', ...rows].join('\n');
  const files = {
    'good.csv': fileOf(`${hour(0)},0.0001`, `${hour(8)},-0.0002`),
    'twice.csv': fileOf(`${hour(0)},0.0001`, `${hour(0)},0.0001`),
    'back.csv': fileOf(`${hour(8)},0.0001`, `${hour(0)},0.0001`),
    'text.csv': fileOf(`${hour(0)},x`),
    'none.csv': fileOf(),
  };
  await withFiles(files, async ([good, ...bad]) => {
    expect(await loadFundingFile(good!)).toEqual({
      ok: true,
      value: { time: Float64Array.of(hour(0), hour(8)), rate: Float64Array.of(0.0001, -0.0002) },
    });
    for (const path of bad) expect((await loadFundingFile(path)).ok, path).toBe(false);
  });
});

test('a book that has only the recorder’s stamps is moved to the clock that the trades show', async () => {
  const [venue, recorder] = [START, START + 250];
  const trades = [
    'exchange_ms,price,qty,recv_ns',
    ...[0, 1, 2].map((at) => `${venue + at * 1_000},5,1,${recorder + at * 1_000}000000`),
  ];
  const book = [
    'recv_ns,bid,bid_qty,ask,ask_qty',
    `${recorder}000000,5,1,6,1`,
    `${recorder + 1_000}000000,5,1,6,1`,
  ];
  const archive = zipOf([{ name: 'a.csv', text: trades.join('\n') }]);
  const two = zipOf([
    { name: 'a.csv', text: trades.join('\n') },
    { name: 'b.csv', text: trades.join('\n') },
  ]);
  const files = {
    't.csv': trades.join('\n'),
    'b.csv': book.join('\n'),
    'one.zip': archive,
    'two.zip': two,
  };
  await withFiles(files, async ([plain, best, one, several]) => {
    for (const path of [plain!, one!]) {
      const loaded = await loadTape({ trades: path, book: best! });
      if (!loaded.ok) throw new Error(describeFeedProblem(loaded.problem));
      expect([...loaded.value.book!.time]).toEqual([venue, venue + 1_000]);
    }
    const alone = await loadTape({ book: best! });
    if (!alone.ok) throw new Error(describeFeedProblem(alone.problem));
    expect([...alone.value.book!.time]).toEqual([recorder, recorder + 1_000]);
    expect(await loadTape({ trades: several! })).toMatchObject({
      ok: false,
      problem: { message: /holds 2 files/ },
    });
  });
});

test('a packed file unpacks to no more than a file may have', async () => {
  await withFiles({ 'x.gz': gzipSync('x'.repeat(1_000)) }, async ([path]) => {
    expect(await readPlainFile(path!, 'of the data', 1_000)).toMatchObject({ ok: true });
    expect(await readPlainFile(path!, 'of the data', 999)).toMatchObject({
      ok: false,
      problem: { message: /unpacks to more/ },
    });
  });
});

test('names, flags and first rows say what a file is, and nothing that they do not', () => {
  expect(marketOfName('BTCUSDT-aggTrades-2024-01.zip')).toBe('BTCUSDT');
  expect(marketOfName('BTC-USDT-SWAP-trades-2024-01-01.zip')).toBe('BTC-USDT-SWAP');
  expect(marketOfName('prices.csv')).toBeNull();
  expect(headerlessTrades('1700000000.5,5,1')).toEqual(['time', 'price', 'volume']);
  for (const row of ['5,6,7', '17,5,1', '1700000000000,5,1', 'time,price,volume'])
    expect(headerlessTrades(row)).toBeNull();
  const path = 'a=b@c.csv';
  expect(parseFeedFlag(`BTC@1m=${path}`)).toEqual({
    ok: true,
    value: { symbol: 'BTC', interval: '1m', path },
  });
  expect(parseTapeFlag(`BTC=${path}`)).toEqual({ ok: true, value: { symbol: 'BTC', path } });
  const problem = { file: 'x', line: 1, column: null, message: 'is long.', remedy: 'Cut it.' };
  expect(describeFeedProblem({ ...problem, value: 'y'.repeat(121) })).toBe(
    `x:1: "${'y'.repeat(120)}…" is long. Cut it.`,
  );
  expect(describeFeedProblem({ ...problem, value: 'y'.repeat(120) })).toBe(
    `x:1: "${'y'.repeat(120)}" is long. Cut it.`,
  );
});

test('rates are taken for percentages by half of them, of enough, whatever their signs are', () => {
  const rates = (count: number, share: number, rate: number): Float64Array =>
    Float64Array.from({ length: count }, (_none, at) =>
      at < count * share ? rate * (at % 2 === 0 ? 1 : -1) : 1e-5,
    );
  const isHinted = (...given: Parameters<typeof rates>): boolean =>
    percentHint(rates(...given)) !== null;
  expect(isHinted(3, 1, 0.01)).toBe(true);
  expect(isHinted(2, 1, 0.01)).toBe(false);
  expect(isHinted(200, 0.6, 0.01)).toBe(true);
  expect(isHinted(200, 0.4, 0.01)).toBe(false);
  expect(isHinted(200, 1, 0.001)).toBe(true);
  expect(isHinted(200, 1, 0.000_99)).toBe(false);
  expect(percentHint(new Float64Array())).toBeNull();
  expect(percentHint(rates(200, 1, 0.0125))).toContain('1.25 % or more');
});
