import {
  alpha,
  annualGrowth,
  beta,
  correlation,
  deepestDrawdown,
  informationRatio,
  rSquared,
  sharpeRatio,
  trackingError,
  treynorRatio,
  volatility,
} from '../../../statistics/index.ts';
import type { FigureDefinition, FigureInput } from './Figure.ts';

type Definition = Omit<FigureDefinition, 'needs'>;
const FLAT = 'the benchmark does not vary';

/** A figure of the benchmark's returns alone. */
const own =
  (figure: (returns: readonly number[]) => number | null) =>
  ({ benchmark }: FigureInput): number | null =>
    figure(benchmark!.returns);
/** A figure of both. */
const both =
  (figure: (returns: readonly number[], benchmark: readonly number[]) => number | null) =>
  ({ returns, benchmark }: FigureInput): number | null =>
    figure(returns, benchmark!.returns);

/** The run beside its benchmark, of the same whole UTC days. */
const definitions: readonly Definition[] = [
  {
    name: 'benchmark_return',
    label: 'Benchmark’s return',
    unit: 'share',
    of: ({ benchmark }) => benchmark!.equity.at(-1)![1] / benchmark!.equity[0]![1] - 1,
    formula: 'last close ÷ price at the start − 1',
    source: 'quantstats; freqtrade Market change',
  },
  {
    name: 'benchmark_cagr',
    label: 'Benchmark’s CAGR',
    unit: 'share',
    of: own(annualGrowth),
    formula: '(Π (1 + b))^(365 ÷ days) − 1',
    source: 'quantstats stats.cagr',
  },
  {
    name: 'benchmark_volatility',
    label: 'Benchmark’s volatility',
    unit: 'share',
    of: own(volatility),
    formula: 'sample deviation of b × √365',
    source: 'quantstats stats.volatility',
  },
  {
    name: 'benchmark_sharpe',
    label: 'Benchmark’s Sharpe',
    unit: 'ratio',
    of: own(sharpeRatio),
    formula: 'mean b ÷ sample deviation × √365',
    source: 'quantstats stats.sharpe',
    unless: FLAT,
  },
  {
    name: 'benchmark_drawdown',
    label: 'Benchmark’s largest drawdown',
    unit: 'share',
    of: own(deepestDrawdown),
    formula: 'largest fall of Π (1 + b) from its peak so far',
    source: 'quantstats stats.max_drawdown',
  },
  {
    name: 'beta',
    label: 'Beta',
    unit: 'ratio',
    of: both(beta),
    formula: 'cov(r, b) ÷ var(b)',
    source: 'quantstats stats.greeks; Lean Beta',
    unless: FLAT,
  },
  {
    name: 'alpha',
    label: 'Alpha, a year',
    unit: 'share',
    of: both(alpha),
    formula: '(mean r − beta × mean b) × 365',
    source: 'quantstats stats.greeks',
    unless: FLAT,
  },
  {
    name: 'correlation',
    label: 'Correlation',
    unit: 'ratio',
    of: both(correlation),
    formula: 'cov(r, b) ÷ (deviation of r × deviation of b)',
    source: 'quantstats Correlation',
    unless: 'the returns or the benchmark do not vary',
  },
  {
    name: 'r_squared',
    label: 'R²',
    unit: 'ratio',
    of: both(rSquared),
    formula: 'correlation²',
    source: 'quantstats stats.r_squared',
    unless: 'the returns or the benchmark do not vary',
  },
  {
    name: 'information_ratio',
    label: 'Information ratio, a day',
    unit: 'ratio',
    of: both(informationRatio),
    formula: 'mean (r − b) ÷ sample deviation of (r − b)',
    source: 'quantstats stats.information_ratio',
    unless: 'the run moves exactly with the benchmark',
  },
  {
    name: 'tracking_error',
    label: 'Tracking error',
    unit: 'share',
    of: both(trackingError),
    formula: 'sample deviation of (r − b) × √365',
    source: 'Lean Tracking Error',
  },
  {
    name: 'treynor',
    label: 'Treynor',
    unit: 'ratio',
    of: both(treynorRatio),
    formula: '(Π (1 + r) − 1) ÷ beta',
    source: 'quantstats stats.treynor_ratio',
    unless: 'beta is zero or not defined',
  },
];

export const benchmarkDefinitions: readonly FigureDefinition[] = definitions.map((definition) => ({
  ...definition,
  needs: 'benchmark',
}));
