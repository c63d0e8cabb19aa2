/** Statistics by published definitions over curves, trades and trials: numbers in, numbers out. */
export {
  alpha,
  beta,
  informationRatio,
  rSquared,
  trackingError,
  treynorRatio,
} from './againstBenchmark.ts';
export { correlation } from './correlation.ts';
export {
  dailyReturns,
  mergeCurves,
  monthlyChanges,
  valuesAtPeriods,
  type TimedValue,
} from './curves.ts';
export {
  createDrawdown,
  type Depth,
  type DrawdownTimes,
  type MeasuredRun,
  toDrawdown,
  worstDrawdown,
} from './createDrawdown.ts';
export type { AverageDrawdown } from './createPastFalls.ts';
export { deflatedSharpe, expectedBestSharpe, probabilisticSharpe } from './deflatedSharpe.ts';
export {
  averageDrawdown,
  deepestDrawdown,
  drawdownPeriods,
  recoveryFactor,
  serenityIndex,
  ulcerIndex,
  type DrawdownPeriod,
} from './drawdowns.ts';
export {
  autocorrelationPenalty,
  expectedReturn,
  sharpeProbability,
  totalReturn,
} from './growth.ts';
export { histogram, type Histogram } from './histogram.ts';
export { momentsOf } from './momentsOf.ts';
export { normalCdf, normalQuantile } from './normal.ts';
export { createOverfitting, LEAST_PERIODS, type Overfitting } from './overfitting.ts';
export { quantile } from './quantile.ts';
export {
  annualGrowth,
  calmarRatio,
  RATIO_CONVENTION,
  sharpeRatio,
  sortinoRatio,
  volatility,
} from './ratios.ts';
export { rolling } from './rolling.ts';
export { shortfallByAlgo, type Shortfall } from './shortfall.ts';
export { shuffleTrades, type ShuffledTrades } from './shuffleTrades.ts';
export {
  conditionalValueAtRisk,
  excessKurtosis,
  outlierLossRatio,
  outlierWinRatio,
  sampleSkewness,
  tailRatio,
  valueAtRisk,
} from './tails.ts';
export { timeInMarket } from './timeInMarket.ts';
export {
  averageLoss,
  averageWin,
  commonSenseRatio,
  cpcIndex,
  expectancy,
  gainToPain,
  kellyShare,
  longestStreak,
  omegaRatio,
  payoffRatio,
  profitFactor,
  riskOfRuin,
  winRate,
} from './winLoss.ts';
