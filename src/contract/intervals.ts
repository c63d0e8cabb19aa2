import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';

/**
 * Bar intervals, shortest first (conventions §3).
 *
 * ```ts
 * INTERVALS[0]; // => '1m'
 * ```
 */
export const INTERVALS = [
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '8h',
  '12h',
  '1d',
  '1w',
] as const;

export type Interval = (typeof INTERVALS)[number];

export const intervalSchema = z.enum(INTERVALS);

/**
 * Length of each interval in milliseconds.
 *
 * ```ts
 * INTERVAL_MS['5m']; // => 300000
 * ```
 */
export const INTERVAL_MS: Readonly<Record<Interval, number>> = {
  '1m': MINUTE_MS,
  '3m': 3 * MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '2h': 2 * HOUR_MS,
  '4h': 4 * HOUR_MS,
  '8h': 8 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
};

/** The epoch was a Thursday; weekly bars start on Monday, four days later. */
const MONDAY_OFFSET_MS = 4 * DAY_MS;

/**
 * Open time of the bar that contains `time`.
 *
 * ```ts
 * barOpenTime(Date.UTC(2026, 0, 5, 8, 59), '1h') === Date.UTC(2026, 0, 5, 8); // => true
 * ```
 *
 * @param time epoch milliseconds
 * @returns epoch milliseconds, aligned to the epoch in UTC; `1w` starts on Monday
 */
export function barOpenTime(time: number, interval: Interval): number {
  const length = INTERVAL_MS[interval];
  const offset = interval === '1w' ? MONDAY_OFFSET_MS : 0;
  return Math.floor((time - offset) / length) * length + offset;
}

/**
 * Close time of the bar that opens at `openTime`: the open time of the next one.
 *
 * ```ts
 * barCloseTime(Date.UTC(2026, 0, 5, 8), '1h') === Date.UTC(2026, 0, 5, 9); // => true
 * ```
 */
export function barCloseTime(openTime: number, interval: Interval): number {
  return openTime + INTERVAL_MS[interval];
}
