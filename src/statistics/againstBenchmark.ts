import { correlation, covariance } from './correlation.ts';
import { DAYS_A_YEAR } from './curves.ts';
import { totalReturn } from './growth.ts';
import { momentsOf } from './momentsOf.ts';
import { areReturns, finite, mean, quotient } from './numbers.ts';

/**
 * Returns beside those of a benchmark, of the same periods. Each is null if it is not defined, or if a period has no
 * return.
 */

/** Covariance with the benchmark over the benchmark's variance: `beta` of quantstats `stats.greeks`. */
export function beta(returns: readonly number[], benchmark: readonly number[]): number | null {
  if (!areReturns(returns) || !areReturns(benchmark)) return null;
  return quotient(covariance(returns, benchmark), momentsOf(benchmark).deviation ** 2);
}

/**
 * (Mean return − beta × the benchmark's mean return) × 365, a share a year: `alpha` of quantstats `stats.greeks` with a
 * year of 365 periods.
 */
export function alpha(returns: readonly number[], benchmark: readonly number[]): number | null {
  const slope = beta(returns, benchmark);
  return slope === null ? null : finite((mean(returns) - slope * mean(benchmark)) * DAYS_A_YEAR);
}

/** Square of the correlation: quantstats `stats.r_squared`. */
export function rSquared(returns: readonly number[], benchmark: readonly number[]): number | null {
  const related = correlation(returns, benchmark);
  return related === null ? null : related ** 2;
}

/** Mean over sample deviation of the returns above the benchmark's, a period: quantstats `stats.information_ratio`. */
export function informationRatio(
  returns: readonly number[],
  benchmark: readonly number[],
): number | null {
  const { mean: middle, deviation } = momentsOf(excess(returns, benchmark));
  return quotient(middle, deviation);
}

/** Sample deviation of the returns above the benchmark's × √365, a share a year: Lean's `TrackingError`. */
export function trackingError(
  returns: readonly number[],
  benchmark: readonly number[],
): number | null {
  return finite(momentsOf(excess(returns, benchmark)).deviation * Math.sqrt(DAYS_A_YEAR));
}

const excess = (returns: readonly number[], benchmark: readonly number[]): number[] =>
  returns.map((value, at) => value - benchmark[at]!);

/** Total return over beta: quantstats `stats.treynor_ratio`. */
export function treynorRatio(
  returns: readonly number[],
  benchmark: readonly number[],
): number | null {
  const [total, slope] = [totalReturn(returns), beta(returns, benchmark)];
  return total === null || slope === null ? null : quotient(total, slope);
}
