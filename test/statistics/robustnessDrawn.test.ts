import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/env/index.ts';
import {
  createOverfitting,
  rolling,
  shuffleTrades,
  worstDrawdown,
} from '../../src/statistics/index.ts';
import { holdLaw } from '../holdLaw.ts';
import { overfitting } from './overfitting.ts';

/** Three ways to halve four blocks, of two periods each. */
const [BLOCKS, PERIODS, PAIRS] = [4, 8, 3];
const someTrials = fc.array(
  fc.array(fc.integer({ min: -2, max: 2 }), { minLength: PERIODS, maxLength: PERIODS }),
  { minLength: 2, maxLength: 5 },
);

const isMoving = (trial: readonly number[]): boolean => new Set(trial).size > 1;

test('of drawn splits the estimate is the mean of some of them, and its error that of a draw without repetition', async () => {
  const cases = fc.tuple(someTrials, fc.integer({ min: 1, max: PAIRS }), fc.integer());
  await holdLaw(200, cases, ([drawn, count, seed]) => {
    const trials = drawn.filter(isMoving);
    const estimate = (pairs: number, next: () => number) => {
      const all = createOverfitting({
        periods: PERIODS,
        trials: trials.length,
        blocks: BLOCKS,
        mostEvaluations: 2 * trials.length * pairs,
        next,
      });
      for (const trial of trials) all.add(trial);
      return all.result();
    };
    if (trials.length < 2) {
      expect(estimate(count, () => 0)).toBeNull();
      return;
    }
    const random = createRandom(`splits ${seed}`);
    const found = estimate(count, () => random.next())!;
    expect(found).toMatchObject({ splits: 2 * count, possibleSplits: 2 * PAIRS });
    const single = [0, 1, 2].map((pair) => estimate(1, () => (pair + 0.5) / PAIRS)!.probability);
    const whole = overfitting(trials, BLOCKS)!.probability;
    expect(single.reduce((sum, each) => sum + each, 0) / PAIRS).toBeCloseTo(whole, 12);
    const subsets = [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]];
    const possible = subsets
      .filter(({ length }) => length === count)
      .map((subset) => {
        const values = subset.map((pair) => single[pair]!);
        const mean = values.reduce((sum, value) => sum + value, 0) / count;
        const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
        const isExact = count === PAIRS || count < 2;
        const variance = isExact ? 0 : (squares / (count - 1) / count) * (1 - count / PAIRS);
        return { probability: mean, standardError: Math.sqrt(variance) };
      });
    const isFound = possible.some(
      ({ probability, standardError }) =>
        Math.abs(probability - found.probability) < 1e-9 &&
        Math.abs(standardError - found.standardError) < 1e-9,
    );
    expect(isFound, `${JSON.stringify(found)} is none of ${JSON.stringify(possible)}`).toBe(true);
  });
});

test('trades that are drawn as they stand have their own drawdown; fewer than ten have none', async () => {
  const trades = fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 14 });
  await holdLaw(200, fc.tuple(trades, fc.integer({ min: 1, max: 3 })), ([pnls, runs]) => {
    // The largest number below 1 leaves each in its place, and always draws the last.
    const found = shuffleTrades(pnls, { runs, next: () => 1 - Number.EPSILON });
    if (pnls.length < 10) {
      expect(found).toBeNull();
      return;
    }
    let sum = 0;
    const curve = [[-1, 0] as const, ...pnls.map((pnl, at) => [at, (sum += pnl)] as const)];
    const fall = worstDrawdown(curve).depth;
    expect(found!.drawdown).toEqual({ p5: fall, p50: fall, p95: fall });
    const last = pnls.length * pnls.at(-1)!;
    expect(found!.pnl).toEqual({ p5: last, p50: last, p95: last });
  });
});

test('percentiles are the nearest ranks of all runs', async () => {
  const trades = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 10, maxLength: 40 });
  await holdLaw(100, fc.tuple(trades, fc.integer({ min: 1, max: 45 })), ([pnls, runs]) => {
    // A run shuffles, which leaves each in its place here, and then draws: each run another trade, again and again.
    const { length } = pnls;
    let calls = 0;
    const next = (): number => {
      const [run, call] = [Math.floor(calls / (2 * length - 1)), calls++ % (2 * length - 1)];
      return call < length - 1 ? 1 - Number.EPSILON : ((run % length) + 0.5) / length;
    };
    const found = shuffleTrades(pnls, { runs, next })!;
    const sums = Array.from({ length: runs }, (_none, run) => length * pnls[run % length]!);
    const sorted = sums.toSorted((a, b) => a - b);
    // The least of which at least that share is at or below it.
    const rank = (share: number) =>
      sorted.find((value) => sums.filter((each) => each <= value).length >= share * runs - 1e-9);
    expect(found.pnl).toEqual({ p5: rank(0.05), p50: rank(0.5), p95: rank(0.95) });
  });
});

test('any order of trades is as likely as any other, and each trade is drawn as often', () => {
  const random = createRandom('orders');
  // One loss among gains: the place of the loss decides the fall only if another one is there, too.
  const pnls = [-3, -2, 1, 1, 1, 1, 1, 1, 1, 1];
  const falls = new Map<number, number>();
  let total = 0;
  const RUNS = 6_000;
  for (let run = 0; run < RUNS; run++) {
    const found = shuffleTrades(pnls, { runs: 1, next: () => random.next() })!;
    falls.set(found.drawdown.p50, (falls.get(found.drawdown.p50) ?? 0) + 1);
    total += found.pnl.p50;
  }
  // Of the 45 pairs of places with g gains between the losses there are 9 − g: the fall is 5 − g, or that of the larger loss.
  const expected = new Map([
    [5, 9 / 45],
    [4, 8 / 45],
    [3, 28 / 45],
  ]);
  for (const [fall, share] of expected) {
    const off = (falls.get(fall) ?? 0) / RUNS - share;
    expect(Math.abs(off), `a fall of ${fall}`).toBeLessThan(0.03);
  }
  expect(Math.abs(total / RUNS - 3)).toBeLessThan(0.3);
});

test('windows are all that are whole, in order', async () => {
  const sizes = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 5 }));
  await holdLaw(100, sizes, ([count, window]) => {
    const found = rolling(count, window, (from, until) => 100 * from + until);
    const all = Array.from({ length: count }, (_none, from) => from);
    const whole = all.filter((from) => from + window <= count);
    expect(found).toEqual(whole.map((from) => 100 * from + from + window));
  });
});

/** Every split: the best of a half, or each of those that tie, and its place in the other one, ties in the middle. */
function naiveRanks(trials: readonly (readonly number[])[]): Map<number, number> {
  const size = PERIODS / BLOCKS;
  const ranks = new Map<number, number>();
  const halves = [...Array(2 ** BLOCKS).keys()].filter(
    (mask) => [...mask.toString(2)].filter((bit) => bit === '1').length === BLOCKS / 2,
  );
  const ratio = (trial: readonly number[], mask: number): number => {
    const values = trial.filter((_value, at) => ((mask >> Math.floor(at / size)) & 1) === 1);
    const mean = values.reduce((total, value) => total + value, 0) / values.length;
    const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
    return squares === 0 ? 0 : mean / Math.sqrt(squares / values.length);
  };
  for (const mask of halves) {
    const inside = trials.map((trial) => ratio(trial, mask));
    const outside = trials.map((trial) => ratio(trial, ~mask));
    const most = Math.max(...inside);
    const best = outside.filter((_value, at) => inside[at] === most);
    for (const own of best) {
      const below = outside.filter((value) => value < own).length;
      const equal = outside.filter((value) => value === own).length;
      const rank = (below + (equal + 1) / 2) / (trials.length + 1);
      ranks.set(rank, (ranks.get(rank) ?? 0) + 1 / best.length / halves.length);
    }
  }
  return ranks;
}

/** Each block of a trial is of one of two, so that many tie in a half: as neighbours of a grid do that trade alike for a while. */
const someTies = fc
  .tuple(
    fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: BLOCKS, maxLength: BLOCKS }), {
      minLength: 2,
      maxLength: 5,
    }),
    fc.integer(),
  )
  .map(([choices, seed]) => {
    const random = createRandom(`ties ${seed}`);
    const two = [0, 1].map(() => Array.from({ length: PERIODS }, () => random.next() - 0.5));
    return choices.map((choice) =>
      two[0]!.map((_none, at) => two[choice[Math.floor((at * BLOCKS) / PERIODS)]!]![at]!),
    );
  });

test('of trials that tie each is as likely the best, and has the middle of their places', async () => {
  await holdLaw(300, someTies, (trials) => {
    const found = overfitting(trials, BLOCKS)!;
    const expected = [...naiveRanks(trials)].toSorted(([a], [b]) => a - b);
    expect(found.ranks.map(([rank]) => rank)).toEqual(expected.map(([rank]) => rank));
    for (const [at, [, share]] of found.ranks.entries())
      expect(share).toBeCloseTo(expected[at]![1], 9);
    const failed = expected.reduce((sum, [rank, share]) => (rank <= 0.5 ? sum + share : sum), 0);
    expect(found.probability).toBeCloseTo(failed, 9);
  });
});
