import { momentsOf } from './momentsOf.ts';
import { mean, quotient, sum } from './numbers.ts';

/** Covariance of two series over the product of their deviations: quantstats `stats.benchmark_correlation`. */
export function correlation(one: readonly number[], other: readonly number[]): number | null {
  const [a, b] = [momentsOf(one), momentsOf(other)];
  return quotient(covariance(one, other), a.deviation * b.deviation);
}

/** Sample covariance: divided by count − 1. */
export function covariance(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [mean(one), mean(other)];
  return sum(one.map((value, at) => (value - a) * (other[at]! - b))) / (one.length - 1);
}
