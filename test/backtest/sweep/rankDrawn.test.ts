import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluateSweep } from '../../../backtest/sweep/evaluateSweep.ts';
import type { PointResult } from '../../../backtest/sweep/PointResult.ts';
import type { SweepJob, SweepPlan } from '../../../backtest/sweep/SweepPlan.ts';
import { createRandom } from '../../../src/env/index.ts';
import { deflatedSharpe, momentsOf, shuffleTrades } from '../../../src/statistics/index.ts';
import { holdLaw } from '../../holdLaw.ts';
import { outcomeOf } from './outcomeOf.ts';

/** Ranks and their robustness a second time, plainly: points that failed, equal ones, figures that are missing. */

const PARAMS = [
  { name: 'a', values: ['1', '2', '3'] },
  { name: 'b', values: ['x', 'y'] },
];
const GRID = PARAMS[0]!.values.flatMap((a) => PARAMS[1]!.values.map((b) => [a, b]));
/** Days below which a tape has no ratio. */
const FEWEST = 7;

const point = fc.record({
  kind: fc.constantFrom('ran', 'ran', 'ran', 'failed', 'missing'),
  pnl: fc.integer({ min: -3, max: 3 }),
  sharpe: fc.constantFrom(null, null, -1, 0, 0.5, 2),
  returns: fc.array(fc.constantFrom(-0.02, 0, 0.01, 0.03), { minLength: 7, maxLength: 10 }),
});
const drawn = fc.record({
  points: fc.array(point, { minLength: GRID.length, maxLength: GRID.length }),
  objective: fc.constantFrom('sharpe' as const, 'pnl' as const),
  isShort: fc.boolean(),
  shown: fc.integer({ min: 1, max: 6 }),
});

test('points are ranked by their figure, those without one last, and deflated by all that ran', async () => {
  await holdLaw(400, drawn, ({ points, objective, isShort, shown }) => {
    const plan = { params: PARAMS, objective, walk: null, random: null } as unknown as SweepPlan;
    const jobs = GRID.map(
      (values, index) =>
        ({ index, values, range: {}, window: null, part: 'all' }) as unknown as SweepJob,
    );
    const daysOf = (returns: number[]): number[] =>
      isShort ? returns.slice(0, FEWEST - 1) : returns;
    const results = points.flatMap(({ kind, pnl, sharpe, returns }, index): PointResult[] => {
      if (kind === 'missing') return [];
      if (kind === 'failed') return [{ index, fault: 'it failed' }];
      // Without a fill no missing ratio is one of a point that lost nothing.
      const figures = { pnl, sharpe: isShort ? null : sharpe, fills: 0 };
      return [{ index, figures, returns: daysOf(returns), trades: [] } as unknown as PointResult];
    });
    const evaluated = evaluateSweep(plan, outcomeOf(jobs, results), shown);

    const rankedBy = isShort ? 'pnl' : objective;
    const valueOf = (index: number): number | null =>
      rankedBy === 'pnl' ? points[index]!.pnl : points[index]!.sharpe;
    const ran = points.flatMap(({ kind }, index) => (kind === 'ran' ? [index] : []));
    const valued = ran.filter((index) => valueOf(index) !== null);
    const order = [
      ...valued.toSorted((a, b) => valueOf(b)! - valueOf(a)! || a - b),
      ...ran.filter((index) => valueOf(index) === null),
    ];
    expect([...evaluated.ranking]).toEqual(
      order.map((index) => ({ index, objective: valueOf(index) })),
    );
    expect(evaluated.ranking.valued).toBe(valued.length);
    if (ran.length > 0) expect(evaluated.ranking.rankedBy).toBe(rankedBy);
    expect(evaluated.best.map(({ job }) => job.index)).toEqual(order.slice(0, shown));
    const sharpes = ran.map((index) => {
      const returns = daysOf(points[index]!.returns);
      const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
      const squares = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0);
      const deviation = Math.sqrt(squares / (returns.length - 1));
      return deviation > 1e-12 ? mean / deviation : 0;
    });
    for (const { job, robustness } of evaluated.best) {
      const { sharpe, returns } = points[job.index]!;
      const expected =
        sharpe === null || isShort ? null : deflatedSharpe(momentsOf(returns), sharpes);
      if (expected === null) expect(robustness.deflatedSharpe).toBeNull();
      else expect(robustness.deflatedSharpe).toBeCloseTo(expected, 9);
      const near = GRID.flatMap(([a, b], index) => {
        const steps = Math.abs(Number(a) - Number(job.values[0])) + (b === job.values[1] ? 0 : 1);
        const value = points[index]!.kind === 'ran' ? valueOf(index) : null;
        return steps === 1 && value !== null ? [value] : [];
      });
      if (near.length === 0) expect(robustness.neighbours).toBeNull();
      else
        expect(robustness.neighbours).toEqual({
          count: near.length,
          mean: expect.closeTo(near.reduce((sum, one) => sum + one, 0) / near.length, 9),
          worst: Math.min(...near),
        });
    }
  });
});

test('each of the best points has the other orders of its own trades, wherever it is ranked', () => {
  const plan = { params: PARAMS, objective: 'pnl', walk: null, random: null };
  const jobs = GRID.map(
    (values, index) =>
      ({ index, values, range: {}, window: null, part: 'all' }) as unknown as SweepJob,
  );
  const tradesOf = (index: number): number[] =>
    Array.from({ length: 12 + index }, (_none, at) => ((at * 7 + index * 5) % 11) - 4);
  const bestOf = (pnls: readonly number[]) => {
    const results = pnls.map(
      (pnl, index) =>
        ({
          index,
          figures: { pnl, sharpe: 1, fills: 1 },
          returns: Array.from({ length: 9 }, (_none, day) => ((day * 3 + index) % 5) / 100),
          trades: tradesOf(index),
        }) as unknown as PointResult,
    );
    return evaluateSweep(plan as unknown as SweepPlan, outcomeOf(jobs, results), 6).best;
  };
  const pnls = [3, 6, 1, 5, 2, 4];
  const best = bestOf(pnls);
  expect(best.map(({ job }) => job.index)).toEqual([1, 3, 5, 0, 4, 2]);
  for (const { job, robustness } of best) {
    const random = createRandom(`trades ${job.index}`);
    const options = { runs: 2_000, next: () => random.next() };
    expect(robustness.shuffled).toEqual(shuffleTrades(tradesOf(job.index), options));
  }
  // A point that comes out elsewhere in the ranking keeps its figures.
  const other = bestOf(pnls.toReversed());
  for (const { job, robustness } of other)
    expect(robustness.shuffled).toEqual(
      best.find((one) => one.job.index === job.index)!.robustness.shuffled,
    );
});
