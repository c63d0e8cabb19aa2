import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateFeed, parseCsv, type Feed, type TapeOptions } from '../../../src/paper/index.ts';

const OPTIONS: TapeOptions = {
  symbol: 'BTC',
  interval: '1m',
  bars: 20_000,
  seed: 'demo',
  startTime: 1_735_689_600_000,
  startPrice: 60_000,
};
const feed = generateFeed(OPTIONS);

function hashOf({ time, open, high, low, close, volume }: Feed): string {
  const hash = createHash('sha256');
  for (const column of [time, open, high, low, close, volume]) {
    hash.update(Buffer.from(column.buffer, column.byteOffset, column.byteLength));
  }
  return hash.digest('hex');
}

/** Correlation of two series of the same length. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
  const [ma, mb] = [mean(a), mean(b)];
  const sum = (pick: (index: number) => number) =>
    a.reduce((total, _one, at) => total + pick(at), 0);
  const shared = sum((at) => (a[at]! - ma) * (b[at]! - mb));
  return shared / Math.sqrt(sum((at) => (a[at]! - ma) ** 2) * sum((at) => (b[at]! - mb) ** 2));
}

const moves = Array.from(feed.close, (close, row) => Math.abs(close / feed.open[row]! - 1));

describe('the generated tape', () => {
  test('has the same bytes for the same seed, on every machine', () => {
    expect(hashOf(generateFeed(OPTIONS))).toBe(hashOf(feed));
    expect(hashOf(feed)).toBe('f3c6716a6cac7eecc2d06085a1217dfb868ccae90b45788440e120ec2693d10a');
  });

  test('differs by seed, symbol and interval', () => {
    const others = [{ seed: 'other' }, { symbol: 'ETH' }, { interval: '5m' as const }];
    const hashes = others.map((other) => hashOf(generateFeed({ ...OPTIONS, ...other })));
    expect(new Set([...hashes, hashOf(feed)]).size).toBe(4);
  });

  test('is a valid feed', () => {
    const { time, open, high, low, close, volume } = feed;
    const rows = Array.from(time, (at, row) =>
      [at, open[row], high[row], low[row], close[row], volume[row]].join(','),
    );
    const text = ['timestamp,open,high,low,close,volume', ...rows].join('\n');
    const read = parseCsv(text, { symbol: 'BTC', interval: '1m' });
    expect(read.ok && hashOf(read.value)).toBe(hashOf(feed));
  });

  test('has the requested volatility, and stays near its start', () => {
    const rms = Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / moves.length);
    expect(rms * 10_000).toBeGreaterThan(5);
    expect(rms * 10_000).toBeLessThan(12);
    expect(Math.min(...feed.low)).toBeGreaterThan(30_000);
    expect(Math.max(...feed.high)).toBeLessThan(120_000);
  });

  test('has volatility in clusters, and volume with it', () => {
    expect(correlation(moves.slice(1), moves.slice(0, -1))).toBeGreaterThan(0.1);
    expect(correlation(moves, Array.from(feed.volume))).toBeGreaterThan(0.4);
  });

  test('trends and ranges, gaps at the open, wicks on most bars', () => {
    const hours = Array.from({ length: 333 }, (_none, hour) => {
      const [from, to] = [feed.open[hour * 60]!, feed.close[hour * 60 + 59]!];
      const path = moves.slice(hour * 60, hour * 60 + 60).reduce((sum, move) => sum + move, 0);
      return Math.abs(to / from - 1) / path;
    });
    expect(hours.filter((efficiency) => efficiency > 0.3).length).toBeGreaterThan(20);
    expect(hours.filter((efficiency) => efficiency < 0.05).length).toBeGreaterThan(20);
    const gaps = Array.from(feed.open).filter(
      (open, row) => row > 0 && open !== feed.close[row - 1],
    );
    expect(gaps.length).toBeGreaterThan(20);
    const wicked = Array.from(feed.high).filter(
      (high, row) => high > Math.max(feed.open[row]!, feed.close[row]!),
    );
    expect(wicked.length).toBeGreaterThan(10_000);
  });

  test('omits bars as configured', () => {
    const holed = generateFeed({ ...OPTIONS, bars: 1_000, missingShare: 0.02 });
    const jumps = Array.from(holed.time).filter(
      (time, row) => row > 0 && time - holed.time[row - 1]! > 60_000,
    );
    expect(jumps.length).toBeGreaterThan(3);
  });

  test('keeps a sensible tick at any price', () => {
    const cheap = generateFeed({ ...OPTIONS, bars: 500, startPrice: 0.0123 });
    expect(new Set(cheap.close).size).toBeGreaterThan(50);
    expect(Math.min(...cheap.low)).toBeGreaterThan(0);
  });
});

test('EXE-9: outages make data stale, and occur only if configured', () => {
  const minutes = (times: Float64Array): number[] =>
    Array.from(times.slice(1), (time, row) => (time - times[row]!) / 60_000);
  const broken = generateFeed({ ...OPTIONS, bars: 2_000, outageEveryBars: 600 });
  expect(minutes(broken.time).filter((gap) => gap > 6)).toEqual([9, 9, 9]);
  expect(minutes(feed.time).filter((gap) => gap > 1)).toEqual([]);
});
