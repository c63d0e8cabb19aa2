import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundaryBefore, boundaryFrom } from '../../backtest/barBoundary.ts';
import { cutAt, parseTimeRange } from '../../backtest/TimeRange.ts';
import type { Interval } from '../../src/contract/index.ts';
import { generateFeed, type Tape } from '../../src/paper/index.ts';
import { holdLaw } from '../holdLaw.ts';

const june = (day: number, hour = 0, minute = 0): number => Date.UTC(2025, 5, day, hour, minute);

describe('a time range is', () => {
  test.each([
    ['20250601-20250614', { from: june(1), until: june(14) }],
    ['20250601-', { from: june(1) }],
    ['-20250614', { until: june(14) }],
    ['20250601T06-20250601T1830', { from: june(1, 6), until: june(1, 18, 30) }],
    ['20250601T06:15-', { from: june(1, 6, 15) }],
    ['2025060106-202506011830', { from: june(1, 6), until: june(1, 18, 30) }],
    ['20250601-2025061412', { from: june(1), until: june(14, 12) }],
    ['1912010100-', { from: Date.UTC(2030, 7, 3, 17, 55) }],
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
    ['20250601-2025063112', '2025063112 is not a time'],
    ['20250601-2025061424', '2025061424 is not a time'],
    ['20250614-20250601', 'ends before it begins'],
    ['2025-06-01', 'write 2025-06-01 as 20250601'],
    ['2025-13-45', '2025-13-45 is not a time'],
    ['2025-06-01-2025-06-14', 'the dash separates its two ends: write 2025-06-01 as 20250601'],
    ['20250601-20250603-20250614', 'more than one dash'],
  ])('not %s', (text, reason) => {
    expect(parseTimeRange(text)).toMatchObject({ ok: false });
    expect(JSON.stringify(parseTimeRange(text))).toContain(reason);
  });
});

test('an end of a range is a time where the calendar has it, and a range ends after it begins', async () => {
  const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const end = fc.record({
    year: fc.constantFrom(1970, 1999, 2000, 2024, 2025, 2100),
    month: fc.integer({ min: 0, max: 13 }),
    day: fc.constantFrom(0, 1, 15, 28, 29, 30, 31, 32),
    hour: fc.option(fc.constantFrom(0, 6, 23, 24, 25), { nil: undefined }),
    minute: fc.option(fc.constantFrom(0, 30, 59, 60, 99), { nil: undefined }),
    hasSigns: fc.boolean(),
  });
  const two = (count: number): string => String(count).padStart(2, '0');
  const read = ({
    year,
    month,
    day,
    hour,
    minute,
    hasSigns,
  }: typeof end extends fc.Arbitrary<infer T> ? T : never) => {
    const minutes = minute === undefined ? '' : `${hasSigns ? ':' : ''}${two(minute)}`;
    // Ten digits in a row that begin with 1 are seconds.
    const sign = hasSigns || (minutes === '' && year < 2000) ? 'T' : '';
    const clock = hour === undefined ? '' : `${sign}${two(hour)}${minutes}`;
    const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    const days = month === 2 && isLeap ? 29 : DAYS[month - 1];
    const isTime =
      days !== undefined &&
      day >= 1 &&
      day <= days &&
      (hour ?? 0) < 24 &&
      (hour === undefined ? 0 : (minute ?? 0)) < 60;
    const time = Date.UTC(year, month - 1, day, hour ?? 0, hour === undefined ? 0 : (minute ?? 0));
    return { text: `${year}${two(month)}${two(day)}${clock}`, time: isTime ? time : null };
  };
  await holdLaw(300, fc.tuple(end, end), ([one, other]) => {
    const [from, until] = [read(one), read(other)];
    const begun = parseTimeRange(`${from.text}-`);
    expect(begun).toEqual(
      from.time === null
        ? { ok: false, reason: `${from.text} is not a time` }
        : { ok: true, range: { from: from.time } },
    );
    if (from.time === null || until.time === null) return;
    expect(parseTimeRange(`${from.text}-${until.text}`)).toEqual(
      from.time < until.time
        ? { ok: true, range: { from: from.time, until: until.time } }
        : { ok: false, reason: 'it ends before it begins' },
    );
    expect(parseTimeRange(`${from.text}-${from.text}`).ok).toBe(false);
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
