/** Statistics by published definitions over curves, trades and trials: numbers in, numbers out. */
export {
  dailyReturns,
  DAY_MS,
  DAYS_A_YEAR,
  HOUR_MS,
  monthlyChanges,
  valuesAtPeriods,
  worstDrawdown,
  type TimedValue,
} from './curves.ts';
export {
  createDrawdownTimer,
  type DrawdownTimer,
  type DrawdownTimes,
} from './createDrawdownTimer.ts';
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
