import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Feed } from '../../../src/paper/index.ts';
import type { MarketData } from '../../../src/paper/server/loadMarketData.ts';
import { differenceOf, tapeOf } from '../../../src/paper/server/state/tapeOf.ts';
import { holdLaw } from '../../holdLaw.ts';
import { feedOf, flat, MINUTE, START } from '../engine/bench.ts';

/** Two feeds, one with its trades and book, and funding of either kind. */
function dataOf(): MarketData {
  const recorded: Feed = {
    ...feedOf(flat(100, 4)),
    tape: {
      from: START,
      until: START + 4 * MINUTE,
      trades: { time: f64(1, 2), price: f64(100, 101), size: f64(3, 4) },
      book: { kind: 'rows', time: f64(1, 2), depth: 1, cells: f64(99, 1, 101, 2, 98, 3, 102, 4) },
    },
  };
  return {
    feeds: [recorded, feedOf(flat(70, 3), { symbol: 'ETH', interval: '3m', stepMs: 180_000 })],
    funding: {
      BTC: { time: f64(5, 6), rate: f64(1e-5, -2e-5) },
      ETH: { constantRate: 1e-5, intervalMs: 3_600_000 },
    },
  };
}
const f64 = (...values: number[]): Float64Array => Float64Array.from(values);

/** All columns of some data, with a way to put another in their place. */
function columnsOf(value: object): Array<[Float64Array, (other: Float64Array) => void]> {
  return Object.entries(value).flatMap(([name, part]) => {
    const put = (other: Float64Array) => void ((value as Record<string, unknown>)[name] = other);
    if (part instanceof Float64Array) return [[part, put] as [Float64Array, typeof put]];
    return typeof part === 'object' && part !== null ? columnsOf(part) : [];
  });
}

test('columns that are parts of a longer buffer, as a cache and a feed that grows have them, are the same tape', () => {
  const [plain, views] = [dataOf(), dataOf()];
  for (const [at, [column, put]] of columnsOf(views).entries()) {
    const buffer = new Float64Array(column.length + 5).fill(at);
    buffer.set(column, 2);
    put(buffer.subarray(2, 2 + column.length));
  }
  expect(tapeOf(views)).toEqual(tapeOf(plain));
  expect(differenceOf(tapeOf(plain), tapeOf(views))).toBeNull();
});

test('another value anywhere is another tape, named by its feed or its symbol', async () => {
  const saved = tapeOf(dataOf());
  expect(saved.map(({ name, rows }) => `${name} ${rows}`)).toEqual([
    'BTC@1m 4',
    'ETH@3m 3',
    'funding of BTC 2',
    'funding of ETH 1',
  ]);
  const columns = columnsOf(dataOf()).length;
  await holdLaw(80, fc.record({ at: fc.nat(columns - 1), row: fc.nat(99) }), ({ at, row }) => {
    const data = dataOf();
    const [column] = columnsOf(data)[at]!;
    column[row % column.length]! += 1;
    const inFeeds = columnsOf(data.feeds).length;
    const ofFirst = columnsOf(data.feeds[0]!).length;
    const name = at < ofFirst ? 'BTC@1m' : at < inFeeds ? 'ETH@3m' : 'funding of BTC';
    expect(differenceOf(saved, tapeOf(data))).toBe(`${name} has other values`);
  });
  for (const change of [{ constantRate: 2e-5 }, { intervalMs: 7_200_000 }]) {
    const data = dataOf();
    Object.assign(data.funding['ETH']!, change);
    expect(differenceOf(saved, tapeOf(data))).toBe('funding of ETH has other values');
  }
});

test('what is missing, shorter or new is told', () => {
  const saved = tapeOf(dataOf());
  const changed = (change: (data: MarketData) => void): string | null => {
    const data = dataOf();
    change(data);
    return differenceOf(saved, tapeOf(data));
  };
  expect(changed(({ feeds }) => void feeds.pop())).toBe('ETH@3m is missing');
  expect(changed(({ funding }) => void Reflect.deleteProperty(funding, 'BTC'))).toBe(
    'funding of BTC is missing',
  );
  expect(
    changed(
      ({ feeds }) => void (feeds[1] = feedOf(flat(70, 2), { symbol: 'ETH', interval: '3m' })),
    ),
  ).toBe('ETH@3m had 3 rows and has 2 now');
  expect(changed(({ feeds }) => void feeds.push(feedOf(flat(5, 2), { symbol: 'SOL' })))).toBe(
    'SOL@1m was not there',
  );
  expect(changed((data) => void (data.feeds = data.feeds.toReversed()))).toBeNull();
});
