import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/env/index.ts';
import {
  createOverfitting,
  deflatedSharpe,
  expectedBestSharpe,
  momentsOf,
  normalCdf,
  normalQuantile,
  probabilisticSharpe,
  shuffleTrades,
} from '../../src/statistics/index.ts';
import { overfitting } from './overfitting.ts';

describe('the normal distribution', () => {
  // Values of published tables, to the digits of a double.
  test.each([
    [0, 0.5],
    [1, 0.8413447460685429],
    [1.96, 0.9750021048517795],
    [-3, 0.0013498980316300933],
    [-6, 9.865876450376981e-10],
    [-10, 7.61985302416052e-24],
  ])('Φ(%s)', (x, expected) => {
    expect(Math.abs(normalCdf(x) / expected - 1)).toBeLessThan(1e-12);
  });

  test('the quantile inverts it, and is infinite at the ends', () => {
    fc.assert(
      fc.property(fc.double({ min: -6, max: 6, noNaN: true }), (x) => {
        expect(normalQuantile(normalCdf(x))).toBeCloseTo(x, 6);
      }),
    );
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity]);
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 12);
  });
});

describe('deflated Sharpe ratio', () => {
  /** The paper's own example: five years of days, annualised 2.5, skewness −3, kurtosis 10. */
  const paper = {
    count: 1_250,
    mean: 2.5 / Math.sqrt(250),
    deviation: 1,
    skewness: -3,
    kurtosis: 10,
  };
  const deviation = Math.sqrt(0.5 / 250);

  test('gives the figures of the paper', () => {
    expect(expectedBestSharpe(100, deviation)).toBeCloseTo(0.1132, 4);
    expect(probabilisticSharpe(paper, expectedBestSharpe(100, deviation))).toBeCloseTo(0.9004, 4);
    expect(probabilisticSharpe(paper, expectedBestSharpe(46, deviation))).toBeCloseTo(0.9505, 4);
  });

  test('takes the deviation from the trials themselves', () => {
    // 100 of them, half above and half below, so that the deviation is the one above.
    const off = deviation * Math.sqrt(99 / 100);
    const trials = Array.from({ length: 100 }, (_none, at) => (at % 2 === 0 ? off : -off));
    expect(deflatedSharpe(paper, trials)).toBeCloseTo(0.9004, 4);
  });

  test('a single trial is compared with zero, a flat one against nothing', () => {
    expect(deflatedSharpe(paper, [0.1])).toBe(probabilisticSharpe(paper, 0));
    expect(deflatedSharpe(momentsOf([1, 1, 1]), [0.1])).toBeNull();
  });
});

describe('probability of backtest overfitting', () => {
  const noise = (trials: number, periods: number, seed: number): number[][] => {
    const random = createRandom(seed);
    return Array.from({ length: trials }, () =>
      Array.from({ length: periods }, () => random.next() - 0.5),
    );
  };

  test('is near zero where one trial is better everywhere', () => {
    const trials = noise(20, 320, 1);
    trials[7] = trials[7]!.map((change) => change + 1);
    expect(overfitting(trials)).toMatchObject({ probability: 0, splits: 12_870 });
  });

  test('is about a half for pure chance', () => {
    const all = Array.from({ length: 30 }, (_none, seed) => overfitting(noise(20, 160, seed), 8)!);
    const mean = all.reduce((sum, { probability }) => sum + probability, 0) / all.length;
    expect(mean).toBeGreaterThan(0.35);
    expect(mean).toBeLessThan(0.65);
  });

  test('is one if the winner of one half loses in the other', () => {
    // Each trial earns in one block alone, and pays for it in all others.
    const trials = Array.from({ length: 4 }, (_trial, own) =>
      Array.from({ length: 16 }, (_period, at) =>
        Math.floor(at / 4) === own ? 10 + (at % 2) : -2 - (at % 2),
      ),
    );
    expect(overfitting(trials, 4)!.probability).toBe(1);
  });

  test('does not depend on the order of tied trials', () => {
    const trials = noise(6, 48, 2);
    // Neighbours of a grid often are one and the same for a while: best there, then one wins and one loses.
    const best = trials[0]!.map((change) => change + 1);
    trials[0] = best;
    trials[5] = best.map((change, at) => (at < 24 ? change : change - 2));
    const there = overfitting(trials, 6)!.probability;
    expect(overfitting(trials.toReversed(), 6)!.probability).toBeCloseTo(there, 12);
  });

  test('agrees with a naive implementation of the paper', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 2, max: 6 }),
        (seed, trials) => {
          const changes = noise(trials, 24, seed);
          expect(overfitting(changes, 6)!.probability).toBeCloseTo(naivePbo(changes, 6), 12);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('the ranks of its splits add up to one, and those up to the median to the probability', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 2, max: 6 }),
        (seed, trials) => {
          const { ranks, probability } = overfitting(noise(trials, 24, seed), 6)!;
          const sumOf = (to: number): number =>
            ranks.reduce((sum, [rank, share]) => (rank <= to ? sum + share : sum), 0);
          expect(sumOf(1)).toBeCloseTo(1, 9);
          expect(sumOf(0.5)).toBeCloseTo(probability, 9);
          const values = ranks.map(([rank]) => rank);
          expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
          // Ranks of the paper: whole places over one more than there are.
          for (const rank of values)
            expect(rank * (trials + 1)).toBeCloseTo(Math.round(rank * (trials + 1)), 9);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('a trial with constant returns is not affected by rounding of its variance', () => {
    const even = Array.from({ length: 32 }, (_none, at) => (at === 0 ? -5 : 0.1));
    const better = Array.from({ length: 32 }, (_none, at) => 1 + (at % 2));
    expect(overfitting([even, better], 4)!.probability).toBe(0);
  });

  test('accepts more trials than a call has arguments', () => {
    const few = noise(7, 8, 1);
    const many = Array.from({ length: 200_000 }, (_none, at) => few[at % few.length]!);
    expect(overfitting(many, 4)!.splits).toBe(6);
  });

  test('of too many trials is estimated at drawn splits, within the error that it names', () => {
    let [within, runs] = [0, 0];
    for (let seed = 0; seed < 20; seed++) {
      const trials = noise(30, 160, seed);
      const exact = overfitting(trials)!;
      expect(exact).toMatchObject({ possibleSplits: 12_870, standardError: 0 });
      const random = createRandom(`splits ${seed}`);
      const options = { periods: 160, trials: 30, next: () => random.next() };
      const drawn = createOverfitting({ ...options, mostEvaluations: 30 * 400 });
      const all = createOverfitting({ ...options, mostEvaluations: 30 * 12_870 });
      for (const each of trials) {
        drawn.add(each);
        // Later periods are left out.
        all.add(Float64Array.from([...each, 99]));
      }
      expect(all.result()).toEqual(exact);
      const { probability, splits, standardError } = drawn.result()!;
      expect(splits).toBe(400);
      expect(standardError).toBeGreaterThan(0.005);
      expect(standardError).toBeLessThan(0.04);
      runs++;
      if (Math.abs(probability - exact.probability) < 2 * standardError) within++;
    }
    // Of a normal error 95 % are within two of it.
    expect(within / runs).toBeGreaterThanOrEqual(0.8);
  });

  test('is undefined for a single trial or too few periods', () => {
    expect(overfitting(noise(1, 100, 1))).toBeNull();
    expect(overfitting(noise(5, 31, 1))).toBeNull();
    const flat = Array<number>(100).fill(0);
    expect(overfitting([flat, flat, ...noise(1, 100, 1)])).toBeNull();
  });
});

/** Row by row, with logits, as the paper puts it. */
function naivePbo(trials: number[][], blocks: number): number {
  const size = trials[0]!.length / blocks;
  const rowsOf = (mask: number, wanted: boolean): number[] =>
    trials[0]!
      .map((_none, row) => row)
      .filter((row) => ((mask >> Math.floor(row / size)) & 1) === (wanted ? 1 : 0));
  const performance = (changes: number[], rows: number[]): number => {
    const values = rows.map((row) => changes[row]!);
    const mean = values.reduce((a, b) => a + b) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return mean / Math.sqrt(variance);
  };
  const logits: number[] = [];
  for (let mask = 0; mask < 2 ** blocks; mask++) {
    if (rowsOf(mask, true).length !== trials[0]!.length / 2) continue;
    const inside = trials.map((changes) => performance(changes, rowsOf(mask, true)));
    const outside = trials.map((changes) => performance(changes, rowsOf(mask, false)));
    const best = inside.indexOf(Math.max(...inside));
    const rank = outside.filter((value) => value <= outside[best]!).length;
    const share = rank / (trials.length + 1);
    logits.push(Math.log(share / (1 - share)));
  }
  return logits.filter((logit) => logit <= 1e-12).length / logits.length;
}

describe('other orders of the same trades', () => {
  const next = (): (() => number) => {
    const random = createRandom(5);
    return () => random.next();
  };

  test('losses alone give the same drawdown in any order', () => {
    const found = shuffleTrades(Array<number>(12).fill(-2), { runs: 50, next: next() });
    expect(found).toEqual({
      runs: 50,
      drawdown: { p5: 24, p50: 24, p95: 24 },
      pnl: { p5: -24, p50: -24, p95: -24 },
    });
  });

  test('ten gains and ten losses: between one loss and all of them', () => {
    const trades = Array.from({ length: 20 }, (_none, at) => (at < 10 ? 3 : -3));
    const { drawdown, pnl } = shuffleTrades(trades, { runs: 4_000, next: next() })!;
    expect(drawdown.p5).toBeGreaterThanOrEqual(3);
    expect(drawdown.p95).toBeLessThanOrEqual(30);
    expect(drawdown.p5).toBeLessThan(drawdown.p50);
    expect(drawdown.p50).toBeLessThan(drawdown.p95);
    // A sum of 20 draws of ±3 has the deviation 3 √20 = 13.4; 1.645 of them are 22.
    expect(Math.abs(pnl.p50)).toBeLessThanOrEqual(6);
    expect(pnl.p95).toBeGreaterThan(16);
    expect(pnl.p95).toBeLessThan(28);
  });

  test('is the same for the same seed, and undefined for few trades', () => {
    const trades = Array.from({ length: 15 }, (_none, at) => at - 6);
    const once = () => shuffleTrades(trades, { runs: 100, next: next() });
    expect(once()).toEqual(once());
    expect(shuffleTrades(trades.slice(0, 9), { runs: 100, next: next() })).toBeNull();
  });
});
