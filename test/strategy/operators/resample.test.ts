import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { from } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { barOpenTime, type Interval } from '../../../src/contract/index.ts';
import type { ClosedBar } from '../../../src/strategy/Bar.ts';
import { resample } from '../../../src/strategy/operators/index.ts';
import { bar } from './bars.ts';
import { marbles } from './marbles.ts';
import { EXTRACTS } from '../../data/places.ts';

const MINUTE = 60_000;
const minute = (at: number, close: number, fields: Partial<ClosedBar> = {}) =>
  bar(close, { time: at * MINUTE, high: close + 2, low: close - 3, volume: close, ...fields });

function resampled(parts: ClosedBar[], interval: Interval): ClosedBar[] {
  const all: ClosedBar[] = [];
  from(parts)
    .pipe(resample(interval))
    .subscribe((whole) => all.push(whole));
  return all;
}

function failureOf(parts: ClosedBar[], interval: Interval): unknown {
  let failure: unknown;
  from(parts)
    .pipe(resample(interval))
    .subscribe({ error: (error: unknown) => (failure = error) });
  return failure;
}

describe('resample', () => {
  test('gives the longer bar with its last part: first open, extremes, last close, all volume', () => {
    const parts = [minute(3, 10, { open: 9 }), minute(4, 20), minute(5, 15)];
    marbles(({ cold, expectObservable }) => {
      const [a, b, c] = parts;
      const source = cold('a-b-c-', { a: a!, b: b!, c: c! });
      const whole = bar(15, {
        interval: '3m',
        time: 3 * MINUTE,
        open: 9,
        high: 22,
        low: 7,
        volume: 45,
      });
      expectObservable(source.pipe(resample('3m'))).toBe('----w-', { w: whole });
    });
  });

  test('leaves out a first bar that had started before the stream, and a last one that is cut off', () => {
    const parts = [4, 5, 6, 7, 8, 9].map((at) => minute(at, at));
    const times = resampled(parts, '3m').map(({ time }) => time / MINUTE);
    expect(times).toEqual([6]);
  });

  test('emits a bar without its last part at the first part of a later one', () => {
    const [a, b, c] = [minute(0, 1), minute(1, 2), minute(4, 5)];
    marbles(({ cold, expectObservable }) => {
      const source = cold('a-b-c-', { a, b, c });
      const whole = bar(2, { interval: '3m', time: 0, open: 1, high: 4, low: -2, volume: 3 });
      expectObservable(source.pipe(resample('3m'))).toBe('----w-', { w: whole });
    });
  });

  test('emits a bar without its first part, once an earlier bar has been seen', () => {
    const parts = [0, 1, 2, 4, 5].map((at) => minute(at, at + 1));
    const wholes = resampled(parts, '3m');
    expect(wholes.map(({ time }) => time / MINUTE)).toEqual([0, 3]);
    expect(wholes[1]!.open).toBe(5);
  });

  test('emits no bar for a time without parts', () => {
    const parts = [0, 1, 2, 9, 10, 11].map((at) => minute(at, at + 1));
    expect(resampled(parts, '3m').map(({ time }) => time / MINUTE)).toEqual([0, 9]);
  });

  test('ignores parts that are repeated or late', () => {
    const clean = [0, 1, 2].map((at) => minute(at, at + 1));
    const [a, b, c] = clean;
    expect(resampled([a!, b!, b!, a!, c!, c!], '3m')).toEqual(resampled(clean, '3m'));
  });

  test('starts weeks on Monday', () => {
    const day = 24 * 60;
    const parts = Array.from({ length: 20 }, (_, i) => minute(i * day, i + 1, { interval: '1d' }));
    const wholes = resampled(parts, '1w');
    expect(wholes.map(({ time }) => new Date(time).getUTCDay())).toEqual([1, 1]);
  });

  test('passes bars of its own interval through', () => {
    const parts = [0, 1].map((at) => minute(at, at + 1));
    expect(resampled(parts, '1m')).toEqual(parts);
  });

  test('ends with an error for parts that don’t add up, or that are of two markets', () => {
    expect(failureOf([minute(0, 1, { interval: '3m' })], '5m')).toBeInstanceOf(RangeError);
    expect(failureOf([minute(0, 1, { interval: '1h' })], '5m')).toBeInstanceOf(RangeError);
    const mixed = [minute(0, 1), minute(1, 1, { symbol: 'ETH' })];
    expect(failureOf(mixed, '5m')).toBeInstanceOf(RangeError);
  });
});

function readCandles(file: string, interval: Interval): ClosedBar[] {
  const text = gunzipSync(readFileSync(join(EXTRACTS, 'normalised', file))).toString('utf8');
  const rows = text.trim().split('\n').slice(1);
  return rows.map((row) => {
    const [time, open, high, low, close, volume] = row.split(',').map(Number);
    const prices = { open: open!, high: high!, low: low!, close: close! };
    return { symbol: 'BTC', interval, time: time!, ...prices, volume: volume!, closed: true };
  });
}

describe('resample over recorded candles', () => {
  test('makes the venue’s own five-minute bars of its one-minute bars, all five fields', () => {
    const minutes = readCandles('BYBIT-BTCUSDT-1m.csv.gz', '1m');
    const theirs = readCandles('BYBIT-BTCUSDT-5m.csv.gz', '5m');
    const ours = resampled(minutes, '5m');
    const from = barOpenTime(ours[0]!.time, '5m');
    const same = theirs.filter(({ time }) => time >= from && time <= ours.at(-1)!.time);
    expect(ours.length).toBe(same.length);
    expect(ours.length).toBeGreaterThan(500);
    for (const [at, whole] of ours.entries()) {
      const { volume, ...prices } = whole;
      const { volume: theirVolume, ...theirPrices } = same[at]!;
      expect(prices).toEqual(theirPrices);
      expect(Math.abs(volume - theirVolume)).toBeLessThan(1e-6);
    }
  });
});
