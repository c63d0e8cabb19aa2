import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCurves } from '../../../src/runtime/record/createCurves.ts';
import { createRandom } from '../../../src/env/index.ts';
import { createDrawdown, drawdownPeriods, type TimedValue } from '../../../src/statistics/index.ts';
import { naiveDrawdowns } from '../../operate/naiveFigures.ts';
import { holdLaw } from '../../holdLaw.ts';

const MINUTE = 60_000;
const CAPITAL = 1_000;

interface Walk {
  seed: number;
  points: number;
  /** Of whole units, so that equal peaks and troughs occur. */
  step: number;
  drift: number;
  /** Instants that one call gives. */
  piece: number;
}

const walks: fc.Arbitrary<Walk> = fc.record({
  seed: fc.nat(),
  points: fc.integer({ min: 20_001, max: 60_000 }),
  step: fc.constantFrom(1, 3, 40),
  drift: fc.constantFrom(-0.2, 0, 0.02, 0.3),
  piece: fc.constantFrom(1, 7, 512, 4_000),
});

/** P&L, which stays above the loss of the capital. */
function drawn({ seed, points, step, drift }: Walk): TimedValue[] {
  const random = createRandom(seed);
  let value = 0;
  return Array.from({ length: points }, (_none, at): TimedValue => {
    value += Math.round((random.next() * 2 - 1 + drift) * step);
    value = Math.max(value, 1 - CAPITAL);
    return [(at + 1) * MINUTE, value];
  });
}

function record(walk: Walk, all: readonly TimedValue[]) {
  const drawdown = createDrawdown((value) => CAPITAL + value);
  const curves = createCurves(['one']);
  for (let at = 0; at < all.length; at += walk.piece) {
    const piece = all.slice(at, at + walk.piece);
    const times = Float64Array.from(piece, ([time]) => time);
    const values = Float64Array.from(piece, ([, value]) => value);
    drawdown.sampleColumn(times, values, piece.length);
    curves.addColumns(times, piece.length, [values], values);
  }
  return { drawdown, curves };
}

const onTop = ([time, value]: TimedValue): [number, number] => [time, CAPITAL + value];

test('a thinned curve has the extremes and the worst ten drawdowns of every instant, and their means are of all', async () => {
  await holdLaw(8, walks, (walk) => {
    const all = drawn(walk);
    const { drawdown, curves } = record(walk, all);
    const [until, value] = all.at(-1)!;
    const run = { from: 0, until, value };
    const thinned = curves.sum(undefined, drawdown.marks());
    expect(thinned.length).toBeLessThan(20_050);
    expect(curves.of('one', undefined, drawdown.marks())).toEqual(thinned);
    // Each of its points is one of the run, in order.
    const known = new Map(all);
    for (const [at, [time, each]] of thinned.entries()) {
      expect(known.get(time)).toBe(each);
      expect(time).toBeGreaterThan(thinned[at - 1]?.[0] ?? 0);
    }
    const extremes = (curve: readonly TimedValue[]): number[] =>
      curve.reduce(([low, high], [, each]) => [Math.min(low!, each), Math.max(high!, each)], [
        0, 0,
      ] as number[]);
    expect(extremes(thinned)).toEqual(extremes(all));

    const whole = naiveDrawdowns([[0, CAPITAL], ...all.map(onTop)]);
    const found = drawdownPeriods([[0, CAPITAL], ...thinned.map(onTop), onTop([until, value])]);
    const rows = found.slice(0, 10).map(({ start, valley, end, durationMs, depth }) => {
      return { start, valley, end, days: durationMs, depth };
    });
    expect(rows).toEqual(whole.slice(0, 10));

    const { share, durationMs } = drawdown.average(run);
    const mean = (values: number[]): number =>
      values.reduce((sum, each) => sum + each, 0) / values.length;
    expect(share).toBeCloseTo(mean(whole.map(({ depth }) => depth)), 12);
    expect(durationMs! / mean(whole.map(({ days }) => days))).toBeCloseTo(1, 12);
    expect(drawdown.times(run).longestMs).toBe(Math.max(...whole.map(({ days }) => days)));
    // The deepest by amount may be another one than by share.
    const lowest = createDrawdown((each) => CAPITAL + each);
    for (const [time, each] of thinned) lowest.sample(time, each);
    expect(lowest.deepest(value)).toEqual(drawdown.deepest(value));
    expect(lowest.times(run)).toMatchObject({
      peakTime: drawdown.times(run).peakTime,
      troughTime: drawdown.times(run).troughTime,
    });
  });
}, 60_000);

test('a curve that never falls has no mean, and one that is short is as it was', () => {
  const drawdown = createDrawdown((value) => CAPITAL + value);
  drawdown.sample(1, 1);
  expect(drawdown.average({ from: 0, until: 1, value: 1 })).toEqual({
    share: null,
    durationMs: null,
  });
  expect(drawdown.average({ from: 0, until: 3, value: 0 })).toEqual({
    share: 1 / (CAPITAL + 1),
    durationMs: 2,
  });
  const curves = createCurves(['one']);
  curves.add(1, [1], 1);
  expect(curves.sum([3, 0], drawdown.marks())).toEqual([
    [1, 1],
    [3, 0],
  ]);
});
