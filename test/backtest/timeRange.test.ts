import { describe, expect, test } from 'vitest';
import { boundaryBefore, boundaryFrom } from '../../backtest/barBoundary.ts';
import { cutAt, parseTimeRange } from '../../backtest/TimeRange.ts';
import type { Interval } from '../../src/contract/index.ts';
import { generateFeed, type Tape } from '../../src/paper/index.ts';

const june = (day: number, hour = 0, minute = 0): number => Date.UTC(2025, 5, day, hour, minute);

describe('a time range is', () => {
  test.each([
    ['20250601-20250614', { from: june(1), until: june(14) }],
    ['20250601-', { from: june(1) }],
    ['-20250614', { until: june(14) }],
    ['20250601T06-20250601T1830', { from: june(1, 6), until: june(1, 18, 30) }],
    ['20250601T06:15-', { from: june(1, 6, 15) }],
    [`${june(1) / 1_000}-${june(2)}`, { from: june(1), until: june(2) }],
  ])('%s', (text, range) => {
    expect(parseTimeRange(text)).toEqual({ ok: true, range });
  });

  test.each([
    ['20250601', 'no dash'],
    ['-', 'both of its ends'],
    ['20250631-', '20250631 is not a time'],
    ['20250601T24-', '20250601T24 is not a time'],
    ['20250601-202506', '202506 is not a time'],
    ['20250614-20250601', 'ends before it begins'],
    ['2025-06-01', 'write 2025-06-01 as 20250601'],
    ['2025-06-01-2025-06-14', 'the dash separates its two ends: write 2025-06-01 as 20250601'],
    ['20250601-20250603-20250614', 'more than one dash'],
  ])('not %s', (text, reason) => {
    expect(parseTimeRange(text)).toMatchObject({ ok: false });
    expect(JSON.stringify(parseTimeRange(text))).toContain(reason);
  });
});

test('truncation ends before the instant and keeps the history', () => {
  const startTime = june(1);
  const feed = generateFeed({
    symbol: 'BTC',
    interval: '5m',
    bars: 100,
    seed: 1,
    startTime,
    startPrice: 100,
  });
  const [cut] = cutAt({ feeds: [feed], funding: {} }, june(1, 1)).feeds;
  expect(cut!.time).toEqual(feed.time.slice(0, 12));
  expect(cut!.close).toEqual(feed.close.slice(0, 12));
  // The bar that is open at the instant contains later data.
  const [inside] = cutAt({ feeds: [feed], funding: {} }, june(1, 1, 4)).feeds;
  expect(inside!.time).toEqual(feed.time.slice(0, 12));
});

describe('recorded market data is truncated at the instant', () => {
  const at = june(1, 1);
  const feed = generateFeed({
    symbol: 'BTC',
    interval: '5m',
    bars: 100,
    seed: 1,
    startTime: june(1),
    startPrice: 100,
  });
  const span = { from: june(1), until: june(1, 8) };
  const time = Float64Array.of(at - 9, at, at + 1, at + 9);
  const four = Float64Array.of(1, 2, 3, 4);
  const cut = (tape: Omit<Tape, 'from' | 'until'>) =>
    cutAt({ feeds: [{ ...feed, tape: { ...span, ...tape } }], funding: {} }, at).feeds[0]!.tape!;

  test('of trades', () => {
    const { trades, ...rest } = cut({ trades: { time, price: four, size: four }, book: null });
    const two = Float64Array.of(1, 2);
    expect(trades).toEqual({ time: Float64Array.of(at - 9, at), price: two, size: two });
    expect(rest).toEqual({ ...span, book: null });
  });

  test('of whole books', () => {
    const cells = Float64Array.from({ length: 32 }, (_none, index) => index);
    const { book } = cut({ trades: null, book: { kind: 'rows', time, depth: 2, cells } });
    expect(book).toEqual({
      kind: 'rows',
      time: time.slice(0, 2),
      depth: 2,
      cells: cells.slice(0, 16),
    });
  });

  test('of a depth stream, whose messages have several changes', () => {
    const six = Float64Array.of(1, 2, 3, 4, 5, 6);
    const changes = { isBid: Uint8Array.of(1, 0, 1, 0, 1, 0), price: six, size: six };
    const first = Float64Array.of(0, 1, 4, 5);
    const book = { kind: 'changes', time, first, updateId: four, ...changes } as const;
    expect(cut({ trades: null, book }).book).toEqual({
      kind: 'changes',
      time: time.slice(0, 2),
      first: Float64Array.of(0, 1),
      updateId: Float64Array.of(1, 2),
      isBid: Uint8Array.of(1, 0, 1, 0),
      price: six.slice(0, 4),
      size: six.slice(0, 4),
    });
    // One that ends before the instant stays whole.
    const early = { ...book, time: Float64Array.of(1, 2, 3, 4) };
    expect(cut({ trades: null, book: early }).book).toEqual(early);
  });
});

describe('a boundary is an open time of the longest feed', () => {
  const feedOf = (interval: Interval, first: number) => ({
    interval,
    time: Float64Array.of(first),
  });
  const feeds = [feedOf('1m', june(1, 7, 3)), feedOf('1d', june(1)), feedOf('1h', june(2))];

  test('from an instant on, or before it', () => {
    expect(boundaryFrom(feeds, june(3))).toBe(june(3));
    expect(boundaryFrom(feeds, june(3) + 1)).toBe(june(4));
    expect(boundaryBefore(feeds, june(3, 23, 59))).toBe(june(3));
  });

  test('counted from its own bars: weeks begin on Mondays', () => {
    const weekly = [feedOf('1w', june(2))];
    expect(boundaryFrom(weekly, june(3))).toBe(june(9));
    expect(boundaryBefore(weekly, june(12))).toBe(june(9));
  });
});
