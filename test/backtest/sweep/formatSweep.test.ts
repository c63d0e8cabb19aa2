import { expect, test } from 'vitest';
import {
  formatSweep,
  evaluateSweep,
  type SweepJob,
  type SweepPlan,
} from '../../../backtest/index.ts';
import type { PointFigures } from '../../../backtest/sweep/PointResult.ts';
import { outcomeOf } from './outcomeOf.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const PLAN: SweepPlan = {
  config: 'bot.yaml',
  configHash: '',
  sources: [],
  feeds: [],
  set: [],
  seed: null,
  params: [{ name: 'fast', values: ['5', '10'] }],
  random: null,
  range: {},
  walk: null,
  objective: 'sharpe',
  tape: [],
};

const FIGURES: PointFigures = {
  days: 40,
  pnl: 1,
  max_drawdown: 1,
  max_drawdown_share: 0.01,
  sharpe: 1,
  sortino: 1,
  calmar: 1,
  profit_factor: 1,
  win_rate: 0.5,
  trades: 3,
  fills: 6,
  fees: 1,
  turnover: 1,
  time_in_market: 0.5,
  intents: 6,
  denied: 0,
  liquidations: 0,
  hash: '',
};

const jobOf = (index: number, more: Partial<SweepJob> = {}): SweepJob => ({
  index,
  values: [PLAN.params[0]!.values[index]!],
  range: {},
  window: null,
  part: 'all',
  ...more,
});

/** Up and down evenly, and up by a little more each time. */
const returnsOf = (count: number, drift: number): number[] =>
  Array.from({ length: count }, (_none, at) => (at % 2 === 0 ? 1 : -1) + drift + (at % 3) * 0.01);

function show(figures: Partial<PointFigures>, returns: number[][], plan = PLAN): string {
  const jobs = returns.map((_none, index) => jobOf(index));
  const results = returns.map((each, index) => ({
    index,
    figures: { ...FIGURES, ...figures },
    returns: each,
    edges: [0, 0] as const,
    trades: [],
  }));
  const outcome = outcomeOf(jobs, results);
  return formatSweep(plan, evaluateSweep(plan, outcome, 2), 2);
}

test('a probability that is not certain is not shown as certain', () => {
  const text = show({}, [returnsOf(960, 0.9), returnsOf(960, 0.02)]);
  expect(text).toContain('>99.9 %');
  expect(text).toContain('Probability of backtest overfitting: <0.1 %');
});

test('too few days for a Sharpe ratio give no probability', () => {
  const plan = { ...PLAN, objective: 'pnl' as const };
  const returns = [returnsOf(10, 0.9), returnsOf(10, 0.02)];
  const jobs = returns.map((_none, index) => jobOf(index));
  const results = returns.map((each, index) => ({
    index,
    figures: { ...FIGURES, sharpe: null },
    returns: each,
    edges: [0, 0] as const,
    trades: [],
  }));
  const { best } = evaluateSweep(plan, outcomeOf(jobs, results), 2);
  expect(best.map(({ robustness }) => robustness.deflatedSharpe)).toEqual([null, null]);
});

test('a ratio that rounds to zero has no minus', () => {
  const text = show({ sharpe: -0.001 }, [returnsOf(960, 0), returnsOf(960, 0.02)]);
  expect(text).toContain(' 0.00 ');
  expect(text).not.toContain('-0.00');
});

test('a tape of almost thirty days is not shown as thirty days long', () => {
  const text = show({ days: 29.97 }, [returnsOf(700, 0), returnsOf(700, 0.02)]);
  expect(text).toContain('The tape is 29.9 days long: its ratios rank');
  const day = show({ days: 1.04 }, [returnsOf(700, 0), returnsOf(700, 0.02)]);
  expect(day).toContain('The tape is 1 day long: its ratios rank');
});

test('a walk-forward with short tests warns about their ratio; P&L needs no warning', () => {
  const jobs = [
    jobOf(0, { window: 0, part: 'train' }),
    jobOf(1, { window: 0, part: 'test', range: { from: 0, until: 10 * DAY } }),
  ];
  const results = jobs.map(({ index }) => {
    return { index, figures: FIGURES, returns: [], edges: [0, 0] as const, trades: [] };
  });
  const walk = { kind: 'rolling', trainMs: 20 * DAY, testMs: 10 * DAY } as const;
  const textOf = (objective: SweepPlan['objective']): string => {
    const plan = { ...PLAN, walk, objective };
    return formatSweep(plan, evaluateSweep(plan, outcomeOf(jobs, results), 2), 2);
  };
  const note = 'A test is 10 days long: below 30 days its sharpe is not meaningful.';
  expect(textOf('sharpe')).toContain(note);
  expect(textOf('pnl')).not.toContain('estimates nothing');
});
