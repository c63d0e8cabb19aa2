import * as fc from 'fast-check';
import { createRandom, type Random } from '../../src/env/index.ts';
import type { Columns } from './series.ts';

const MINUTE = 60_000;

/** A seeded walk of ordinary bars, some without volume, a minute apart. */
export function randomBars(count: number, seed = 'bars', start = 100): Columns {
  const random = createRandom(seed);
  const bars: Columns = { time: [], open: [], high: [], low: [], close: [], volume: [] };
  let close = start;
  for (let i = 0; i < count; i += 1) close = pushBar(bars, random, i * MINUTE, close);
  return bars;
}

function pushBar(bars: Columns, random: Random, time: number, open: number): number {
  const close = open * (1 + (random.next() - 0.5) * 0.01);
  bars.time.push(time);
  bars.open.push(open);
  bars.high.push(Math.max(open, close) * (1 + random.next() * 0.002));
  bars.low.push(Math.min(open, close) * (1 - random.next() * 0.002));
  bars.close.push(close);
  bars.volume.push(random.next() < 0.1 ? 0 : random.next() * 50);
  return close;
}

/** Bars at one price that trade nothing. */
export function flatBars(count: number, price: number): Columns {
  const column = () => Array.from({ length: count }, () => price);
  return {
    time: Array.from({ length: count }, (_, i) => i * MINUTE),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: Array.from({ length: count }, () => 0),
  };
}

/**
 * Any sound bars: gaps, jumps of scale, runs of the same price and bars without volume among them; in some cases all of a
 * few prices, so that extremes, closes and moves are often equal.
 */
export function anyBars(maxLength: number): fc.Arbitrary<Columns> {
  // On a grid of cents: a window whose whole range is a rounding error has no meaningful oscillator.
  const cents = fc.integer({ min: 100, max: 20_000 }).map((count) => count / 100);
  const wide = barsOf(fc.oneof(cents, fc.constantFrom(50, 50.1, 100)), maxLength);
  return fc.oneof(wide, barsOf(fc.integer({ min: 98, max: 103 }), maxLength));
}

function barsOf(price: fc.Arbitrary<number>, maxLength: number): fc.Arbitrary<Columns> {
  const volume = fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1000, noNaN: true }));
  const bar = fc.tuple(price, price, price, price, volume);
  return fc.array(bar, { minLength: 1, maxLength }).map((rows) => ({
    time: rows.map((_, i) => i * 97 * MINUTE),
    open: rows.map(([open]) => open),
    high: rows.map(([open, close, a, b]) => Math.max(open, close, a, b)),
    low: rows.map(([open, close, a, b]) => Math.min(open, close, a, b)),
    close: rows.map(([, close]) => close),
    volume: rows.map((row) => row[4]),
  }));
}
