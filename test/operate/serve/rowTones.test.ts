import { expect, test } from 'vitest';
import { isReached, isStale, limitTone } from '../../../src/operate/serve/page/rowTones.ts';

const MINUTE = 60_000;

test.each([
  [2 * MINUTE, false],
  [2 * MINUTE + 5_000, false],
  [2 * MINUTE + 5_001, true],
])('a bar that closed %i ms ago, of one minute, is old: %s', (ago, isOld) => {
  const feed = { close_time: 1_000_000, interval_ms: MINUTE };
  expect(isStale(feed, { market: 1_000_000 + ago })).toBe(isOld);
  expect(isStale({ ...feed, close_time: null }, { market: 1_000_000 + ago })).toBe(false);
});

test.each([
  [-10, 0, 'muted'],
  [-70, 0, 'warn'],
  [-100, 0, 'loss'],
  // It holds for the day, though the equity recovers.
  [0, 100, 'loss'],
  [0, 99, 'muted'],
])('a day of %i whose loss reached %i, of at most 100, is shown as %s', (pnl, reached, tone) => {
  const wallet = { day_pnl: pnl, day_loss_limit: 100, day_loss_reached: reached } as never;
  expect(limitTone(wallet)).toBe(tone);
  expect(isReached(wallet)).toBe(reached === 100);
});
