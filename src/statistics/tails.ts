import { momentsOf } from './momentsOf.ts';
import { normalQuantile } from './normal.ts';
import { areReturns, finite, mean, quotient } from './numbers.ts';
import { quantile } from './quantile.ts';

/** The shape of a distribution of returns. Each is null if it is not defined, or if a period has no return. */

/** One day in twenty is worse. */
const CONFIDENCE = 0.95;

/**
 * Value at risk by the normal distribution, a return, mostly below zero: mean + Φ⁻¹(1 − 0.95) × sample deviation;
 * quantstats `stats.value_at_risk`.
 */
export function valueAtRisk(
  returns: readonly number[],
  confidence: number = CONFIDENCE,
): number | null {
  if (!areReturns(returns)) return null;
  const { mean: middle, deviation } = momentsOf(returns);
  return finite(middle + normalQuantile(1 - confidence) * deviation);
}

/**
 * Expected shortfall: mean of the returns below the value at risk, or that value if none is; quantstats
 * `stats.conditional_value_at_risk`.
 */
export function conditionalValueAtRisk(returns: readonly number[]): number | null {
  const limit = valueAtRisk(returns);
  if (limit === null) return null;
  const beyond = returns.filter((value) => value < limit);
  return beyond.length === 0 ? limit : mean(beyond);
}

/** |95th percentile / 5th percentile|: quantstats `stats.tail_ratio`. */
export function tailRatio(returns: readonly number[]): number | null {
  if (!areReturns(returns)) return null;
  const ratio = quotient(quantile(returns, CONFIDENCE), quantile(returns, 1 - CONFIDENCE));
  return ratio === null ? null : Math.abs(ratio);
}

/**
 * Sample skewness, n / ((n − 1)(n − 2)) × Σ ((r − mean) / deviation)³: quantstats `stats.skew`, which is that of pandas.
 * Null with fewer than three returns, or flat ones.
 */
export function sampleSkewness(returns: readonly number[]): number | null {
  const { count, skewness } = momentsOf(returns);
  if (count < 3) return null;
  return finite((skewness * Math.sqrt(count * (count - 1))) / (count - 2));
}

/**
 * Sample excess kurtosis, zero for a normal distribution: ((n + 1) × γ + 6) × (n − 1) / ((n − 2)(n − 3)), with γ the
 * population's excess; quantstats `stats.kurtosis`, which is that of pandas. Null with fewer than four returns.
 */
export function excessKurtosis(returns: readonly number[]): number | null {
  const { count, kurtosis } = momentsOf(returns);
  if (count < 4) return null;
  const excess = kurtosis - 3;
  return finite((((count + 1) * excess + 6) * (count - 1)) / ((count - 2) * (count - 3)));
}

/** 99th percentile over the mean of the returns at or above zero: quantstats `stats.outlier_win_ratio`. */
export function outlierWinRatio(returns: readonly number[]): number | null {
  if (!areReturns(returns)) return null;
  return quotient(quantile(returns, 0.99), mean(returns.filter((value) => value >= 0)));
}

/** 1st percentile over the mean of the returns below zero: quantstats `stats.outlier_loss_ratio`. */
export function outlierLossRatio(returns: readonly number[]): number | null {
  if (!areReturns(returns)) return null;
  return quotient(quantile(returns, 0.01), mean(returns.filter((value) => value < 0)));
}
