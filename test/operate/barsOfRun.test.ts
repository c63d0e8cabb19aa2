import { expect, test } from 'vitest';
import { barsOfRun } from '../../src/operate/run/barsOfRun.ts';
import type { Feed } from '../../src/paper/feed/index.ts';

const MINUTE = 60_000;

function feedOf(symbol: string, minutes: readonly number[]): Feed {
  const column = (offset: number): Float64Array =>
    Float64Array.from(minutes, (minute) => minute + offset);
  return {
    symbol,
    interval: '1m',
    time: Float64Array.from(minutes, (minute) => minute * MINUTE),
    open: column(0.1),
    high: column(0.4),
    low: column(0),
    close: column(0.3),
    volume: column(1),
  };
}

test('a run has the bars that closed after its start and up to its end', () => {
  const feed = feedOf('BTC', [0, 1, 2, 4, 5, 6]);
  const run = { symbols: ['BTC'], startTime: 2 * MINUTE, endTime: 6 * MINUTE };
  const { BTC } = barsOfRun([feed], run);
  // The bar of minute 1 closed at the very start, that of minute 6 after the end; minute 3 is missing.
  expect(Array.from(BTC!.time)).toEqual([2 * MINUTE, 4 * MINUTE, 5 * MINUTE]);
  expect(Array.from(BTC!.close)).toEqual([2.3, 4.3, 5.3]);
  expect(Array.from(BTC!.volume!)).toEqual([3, 5, 6]);
  expect(BTC!.interval).toBe('1m');
});

test('untraded symbols, or those without a bar in the run, are left out', () => {
  const feeds = [feedOf('BTC', [0, 1, 2]), feedOf('ETH', [0, 1, 2]), feedOf('SOL', [7, 8])];
  const run = { symbols: ['BTC', 'SOL'], startTime: 0, endTime: 3 * MINUTE };
  expect(Object.keys(barsOfRun(feeds, run))).toEqual(['BTC']);
});

test('the bars are views of the tape, not copies', () => {
  const feed = feedOf('BTC', [0, 1, 2]);
  const { BTC } = barsOfRun([feed], { symbols: ['BTC'], startTime: 0, endTime: 3 * MINUTE });
  expect((BTC!.close as Float64Array).buffer).toBe(feed.close.buffer);
});
