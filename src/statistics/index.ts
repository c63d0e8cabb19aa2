/** Statistics by published definitions over curves, trades and trials: numbers in, numbers out. */
export {
  dailyReturns,
  DAY_MS,
  DAYS_A_YEAR,
  HOUR_MS,
  monthlyChanges,
  valuesAtPeriods,
  type TimedValue,
} from './curves.ts';
export {
  createDrawdown,
  type Depth,
  type Drawdown,
  type DrawdownTimes,
  type MeasuredRun,
  toDrawdown,
  worstDrawdown,
} from './createDrawdown.ts';
export { deflatedSharpe, expectedBestSharpe, probabilisticSharpe } from './deflatedSharpe.ts';
export { momentsOf, type Moments } from './momentsOf.ts';
export { normalCdf, normalQuantile } from './normal.ts';
export { LEAST_PERIODS, overfitting, type Overfitting } from './overfitting.ts';
export {
  annualGrowth,
  calmarRatio,
  RATIO_CONVENTION,
  rollingSharpe,
  sharpeRatio,
  sortinoRatio,
  volatility,
} from './ratios.ts';
export { shortfallByAlgo, type Shortfall, type WorkedOrder } from './shortfall.ts';
export { shuffleTrades, type Percentiles, type ShuffledTrades } from './shuffleTrades.ts';
export { timeInMarket, type Held } from './timeInMarket.ts';
