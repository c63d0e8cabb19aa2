import { momentsOf } from './momentsOf.ts';
import { areReturns, finite } from './numbers.ts';
import { correlation } from './correlation.ts';
import { probabilisticSharpe } from './deflatedSharpe.ts';

/** What returns make together. Each is null if it is not defined, or if a period has no return. */

/** Product of (1 + r), minus 1: quantstats `stats.comp`. */
export function totalReturn(returns: readonly number[]): number | null {
  if (!areReturns(returns)) return null;
  return finite(returns.reduce((growth, value) => growth * (1 + value), 1) - 1);
}

/** Geometric mean, the product of (1 + r) to the power of 1 / n, minus 1: quantstats `stats.expected_return`. */
export function expectedReturn(returns: readonly number[]): number | null {
  const total = totalReturn(returns);
  return total === null || total < -1 ? null : finite((1 + total) ** (1 / returns.length) - 1);
}

/**
 * Probability that the true Sharpe ratio is above zero (Bailey and López de Prado, "The Sharpe Ratio Efficient Frontier",
 * 2012): quantstats `stats.probabilistic_sharpe_ratio`, with the population's moments as in the paper.
 */
export function sharpeProbability(returns: readonly number[]): number | null {
  return areReturns(returns) ? probabilisticSharpe(momentsOf(returns), 0) : null;
}

/**
 * The factor by which autocorrelated returns overstate a Sharpe ratio, √(1 + 2 Σ (n − k) / n × ρᵏ) with ρ the amount of
 * the correlation of each return and the next, k from 1 to n − 1: quantstats `stats.autocorr_penalty`.
 */
export function autocorrelationPenalty(returns: readonly number[]): number | null {
  if (!areReturns(returns) || returns.length < 3) return null;
  const rho = correlation(returns.slice(0, -1), returns.slice(1));
  if (rho === null) return null;
  const [count, size] = [returns.length, Math.abs(rho)];
  let total = 0;
  for (let lag = 1; lag < count; lag++) total += ((count - lag) / count) * size ** lag;
  return Math.sqrt(1 + 2 * total);
}
