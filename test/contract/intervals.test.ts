import { expect, test } from 'vitest';
import { barCloseTime, barOpenTime, INTERVAL_MS, INTERVALS } from '../../src/contract/index.ts';

test('MKT-1: bars align to the epoch in UTC', () => {
  const time = Date.UTC(2025, 5, 14, 13, 47, 31, 250);
  expect(barOpenTime(time, '1m')).toBe(Date.UTC(2025, 5, 14, 13, 47));
  expect(barOpenTime(time, '15m')).toBe(Date.UTC(2025, 5, 14, 13, 45));
  expect(barOpenTime(time, '8h')).toBe(Date.UTC(2025, 5, 14, 8));
  expect(barOpenTime(time, '1d')).toBe(Date.UTC(2025, 5, 14));
});

test('a week starts on Monday', () => {
  const saturday = Date.UTC(2025, 5, 14, 13);
  expect(new Date(barOpenTime(saturday, '1w')).toUTCString()).toBe('Mon, 09 Jun 2025 00:00:00 GMT');
  const monday = Date.UTC(2025, 5, 9);
  expect(barOpenTime(monday, '1w')).toBe(monday);
  expect(barOpenTime(monday - 1, '1w')).toBe(monday - INTERVAL_MS['1w']);
});

test('a time belongs to the bar that opens at or before it and closes after it', () => {
  for (const interval of INTERVALS) {
    for (const time of [0, 1, 1_749_908_851_250, 345_600_000]) {
      const open = barOpenTime(time, interval);
      expect(open).toBeLessThanOrEqual(time);
      expect(barCloseTime(open, interval)).toBeGreaterThan(time);
      expect(barOpenTime(open, interval)).toBe(open);
    }
  }
});

test('the intervals ascend', () => {
  const lengths = INTERVALS.map((interval) => INTERVAL_MS[interval]);
  expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
});

test('each interval is as long as its name says', () => {
  const units: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };
  for (const interval of INTERVALS) {
    const seconds = Number(interval.slice(0, -1)) * units[interval.slice(-1)]!;
    expect(INTERVAL_MS[interval], interval).toBe(seconds * 1_000);
  }
});
