import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sweepCsv } from '../../../backtest/index.ts';
import { evaluateSweep } from '../../../backtest/sweep/evaluateSweep.ts';
import { formatSweep } from '../../../backtest/sweep/formatSweep.ts';
import { testJobs } from '../../../backtest/sweep/jobsOf.ts';
import { objectiveOfRun } from '../../../backtest/sweep/objectiveOf.ts';
import type { PointResult, PointRun } from '../../../backtest/sweep/PointResult.ts';
import { rankColumnsOf } from '../../../backtest/sweep/rankJobs.ts';
import { cellsOf, columnsOf, resultOf } from '../../../backtest/sweep/results/pointRow.ts';
import { heatmapsOf, heatmapTable } from '../../../backtest/sweep/page/heatmaps.ts';
import { parallelSvg } from '../../../backtest/sweep/page/parallelSvg.ts';
import type { SweepJob, SweepPlan } from '../../../backtest/sweep/SweepPlan.ts';
import { OBJECTIVES } from '../../../src/config/index.ts';
import { calmarRatio, sharpeRatio, sortinoRatio } from '../../../src/statistics/index.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { resultsInMemory } from './inMemory.ts';
import { outcomeOf } from './outcomeOf.ts';

const PARAMS = [
  { name: 'a', values: ['1', '2', '3'] },
  { name: 'b', values: ['x', 'y'] },
  { name: 'c', values: ['0', '1'] },
];
const GRID = PARAMS[0]!.values.flatMap((a) =>
  PARAMS[1]!.values.flatMap((b) => PARAMS[2]!.values.map((c) => [a, b, c])),
);

const point = fc
  .record({
    pnl: fc.integer({ min: -3, max: 3 }),
    losing: fc.boolean(),
    returns: fc.array(fc.constantFrom(-0.02, 0, 0.01, 0.03), { minLength: 6, maxLength: 9 }),
    isFlat: fc.boolean(),
    isRuined: fc.constantFrom(false, false, false, true),
    trades: fc.array(fc.constantFrom<number>(-4, 0, 3), { maxLength: 4 }),
  })
  .map(({ losing, isFlat, returns, ...rest }) => ({
    ...rest,
    returns: returns.map((each) => (isFlat ? 0.01 : losing ? each : Math.max(0, each))),
  }));
type Drawn = typeof point extends fc.Arbitrary<infer T> ? T : never;

function resultOfDrawn({ pnl, returns, trades, isRuined }: Drawn, index: number): PointResult {
  const ratio = (of: (each: readonly number[]) => number | null): number | null =>
    returns.length < 7 || isRuined ? null : of(returns);
  const gain = trades.reduce<number>((sum, each) => sum + Math.max(0, each), 0);
  const loss = trades.reduce<number>((sum, each) => sum + Math.max(0, -each), 0);
  const won = trades.filter((each) => each > 0).length;
  const figures = {
    days: 40,
    pnl,
    max_drawdown: 1,
    max_drawdown_share: isRuined ? (index % 2 === 0 ? 1 : 1.2) : 0.1,
    sharpe: ratio(sharpeRatio),
    sortino: ratio(sortinoRatio),
    calmar: ratio(calmarRatio),
    profit_factor: loss === 0 ? null : gain / loss,
    win_rate: trades.length === 0 ? null : won / trades.length,
    trades: trades.length,
    fills: 2,
    fees: 0,
    turnover: 1,
    time_in_market: 0.5,
    intents: 2,
    denied: 0,
    liquidations: 0,
    hash: 'ab',
  };
  return { index, figures, returns, edges: [0, 0], trades };
}

/** What ranks a point, literally: infinite without a divisor where something was gained, by its trades or days and in all. */
function naiveValue(objective: string, { pnl, returns, trades, isRuined }: Drawn): number | null {
  const add = (values: number[]): number => values.reduce((sum, each) => sum + each, 0);
  const over = (part: number, whole: number): number | null => {
    if (whole > 1e-12) return part / whole;
    return part > 0 && pnl > 0 ? Infinity : null;
  };
  if (objective === 'pnl') return pnl;
  if (objective === 'profit_factor') {
    const gains = trades.map((each) => Math.max(0, each));
    return over(add(gains), add(gains) - add(trades));
  }
  if (returns.length < 7 || isRuined) return null;
  const mean = add(returns) / returns.length;
  if (objective === 'sharpe') {
    const squares = add(returns.map((each) => (each - mean) ** 2));
    return over(mean * Math.sqrt(365), Math.sqrt(squares / (returns.length - 1)));
  }
  if (objective === 'sortino') {
    const squares = add(returns.map((each) => Math.min(0, each) ** 2));
    return over(mean * Math.sqrt(365), Math.sqrt(squares / returns.length));
  }
  let [worth, peak, fall] = [1, 1, 0];
  for (const each of returns) {
    worth *= 1 + each;
    peak = Math.max(peak, worth);
    fall = Math.max(fall, 1 - worth / peak);
  }
  return over(worth ** (365 / returns.length) - 1, fall);
}

const drawn = fc.record({
  points: fc.array(point, { minLength: GRID.length, maxLength: GRID.length }),
  objective: fc.constantFrom(...OBJECTIVES),
});

const planOf = (objective: string): SweepPlan =>
  ({ params: PARAMS, objective, walk: null, random: null }) as unknown as SweepPlan;
const jobOf = (index: number, more = {}): SweepJob =>
  ({
    index,
    values: GRID[index],
    range: {},
    window: null,
    part: 'all',
    ...more,
  }) as unknown as SweepJob;

test('a point that lost nothing is ahead of every number, by its P&L, and one with nothing to judge is last', async () => {
  const tried = new Tried();
  await holdLaw(300, drawn, ({ points, objective }) => {
    const plan = planOf(objective);
    const jobs = GRID.map((_values, index) => jobOf(index));
    const results = points.map(resultOfDrawn);
    // As they are stored, and read again.
    const names = columnsOf(PARAMS);
    const stored = results.map((result, index) => {
      const cells = cellsOf(jobs[index]!, result);
      return resultOf(Object.fromEntries(names.map((name, at) => [name, cells[at]])));
    });
    const isShort = points.every(({ returns }) => returns.length < 7);
    const rankedBy = isShort && !['pnl', 'profit_factor'].includes(objective) ? 'pnl' : objective;
    const values = points.map((each) => naiveValue(rankedBy, each));
    const rank = (index: number): number => values[index] ?? -Infinity;
    const order = jobs
      .map(({ index }) => index)
      .toSorted((a, b) => {
        if (rank(a) !== rank(b) && Math.abs(rank(a) - rank(b)) > 1e-12) return rank(b) - rank(a);
        return (rank(a) === Infinity ? points[b]!.pnl - points[a]!.pnl : 0) || a - b;
      });
    for (const all of [results, stored]) {
      const outcome = outcomeOf(jobs, all);
      const { ranking } = evaluateSweep(plan, outcome, 3);
      const found = [...ranking];
      // Equal ratios of other sums differ in their last bits.
      for (const [at, { index, objective: value }] of found.entries()) {
        const expected = values[order[at]!];
        if (value === null || value === Infinity) {
          expect([index, value]).toEqual([order[at], expected]);
        } else {
          expect(Math.abs(value - expected!)).toBeLessThan(1e-9 * Math.max(1, Math.abs(value)));
        }
      }
      tried.take(...values.map((value) => (value === Infinity ? `${rankedBy} ∞` : rankedBy)));
      expect(ranking.valued).toBe(values.filter((value) => value !== null).length);

      // A walk-forward chooses the same one.
      const trained = jobs.map((job) => ({ ...job, window: 0, part: 'train' }) as SweepJob);
      const columns = rankColumnsOf(resultsInMemory(all), jobs.length, plan.objective);
      const window = { train: { from: 0, until: 1 }, test: { from: 1, until: 2 } };
      const [chosen] = testJobs(plan, outcomeOf(trained, all).jobs, columns, [window]);
      if (ranking.valued === 0) expect(chosen).toBeUndefined();
      else expect(chosen!.values).toEqual(GRID[found[0]!.index]);

      // A table for other programs has the same figure.
      const [head, ...rows] = [...sweepCsv(plan, outcome)].join('').trim().split('\n');
      const at = head!.split(',').indexOf(objective);
      for (const [index, row] of rows.entries()) {
        const own = naiveValue(objective, points[index]!);
        const cell = row.split(',')[at]!;
        if (own === Infinity) expect(cell).toBe('inf');
        else if (own === null) expect(cell).toBe('');
        else expect(Number(cell)).toBeCloseTo(own, 6);
        // So has a table that has the result itself at hand.
        const figure = objectiveOfRun(objective, all[index] as PointRun);
        if (own === null || own === Infinity) expect(figure).toBe(own);
        else expect(figure).toBeCloseTo(own, 6);
      }

      // The page has neither a NaN nor a word of the language's.
      const look = {
        ranked: rankedBy,
        linkOf: () => undefined,
        figuresOf: () => (results[0] as PointRun).figures,
      };
      const page = [
        ...heatmapsOf(
          plan,
          found.map(({ index, objective: value }) => ({ job: jobs[index]!, objective: value })),
        ).map((map) => heatmapTable(map, look)),
        parallelSvg(plan, { jobs: outcome.jobs, ranking }, look),
        formatSweep(plan, evaluateSweep(plan, outcome, 12), 12),
      ].join('');
      expect(page).not.toMatch(/NaN|Infinity/);
      expect(page.includes('∞')).toBe(values.includes(Infinity));
    }
  });
  expect(
    tried.rare(
      ['sharpe ∞', 'sortino ∞', 'calmar ∞', 'profit_factor ∞', 'calmar', 'profit_factor'],
      20,
    ),
  ).toEqual([]);
}, 60_000);

test('the table says why a point has no number, and where it stands', () => {
  const drawnPoint = (trades: number[], pnl: number): Drawn => ({
    pnl,
    trades,
    isRuined: false,
    returns: Array.from({ length: 8 }, () => 0.01),
  });
  const points = [
    drawnPoint([5, -1], 4),
    drawnPoint([3], 2),
    drawnPoint([], 0),
    drawnPoint([4], 3),
  ];
  const jobs = points.map((_point, index) => jobOf(index));
  const plan = planOf('profit_factor');
  const evaluated = evaluateSweep(plan, outcomeOf(jobs, points.map(resultOfDrawn)), 4);
  expect(evaluated.best.map(({ job }) => job.index)).toEqual([3, 1, 0, 2]);
  const text = formatSweep(plan, evaluated, 4);
  expect(text).toContain(
    '2 of these 4 had no losing trade: profit_factor is ∞, ahead of every number, and the P&L orders them.',
  );
  expect(text).toContain(
    '1 of these 4 had no losing trade, and no P&L above zero: profit_factor is –, and they are last.',
  );
});

test('a point whose open position lost more than its closed trades won is not ahead of one that gained', () => {
  const days = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? 0.01 : 0.02));
  const holding = { pnl: -4_999, trades: [1], isRuined: false, returns: days };
  const gaining = { pnl: 3, trades: [4, -1], isRuined: false, returns: [...days, -0.005] };
  for (const objective of ['profit_factor', 'sortino', 'calmar'] as const) {
    const plan = planOf(objective);
    const results = [holding, gaining].map(resultOfDrawn);
    const outcome = outcomeOf([jobOf(0), jobOf(1)], results);
    const { ranking } = evaluateSweep(plan, outcome, 2);
    expect([...ranking].map(({ index }) => index)).toEqual([1, 0]);
    expect(ranking.objectiveOf(0)).toBeNull();
    const columns = rankColumnsOf(resultsInMemory(results), 2, objective);
    const training = outcomeOf(
      [jobOf(0), jobOf(1)].map((job) => ({ ...job, window: 0, part: 'train' }) as SweepJob),
      results,
    );
    const window = { train: { from: 0, until: 1 }, test: { from: 1, until: 2 } };
    const [chosen] = testJobs(plan, training.jobs, columns, [window]);
    expect(chosen!.values).toEqual(GRID[1]);
    const rows = [...sweepCsv(plan, outcome)].join('').trim().split('\n');
    expect(rows[1]!.split(',')[rows[0]!.split(',').indexOf(objective)]).toBe('');
  }
});
