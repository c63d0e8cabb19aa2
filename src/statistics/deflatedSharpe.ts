import type { Moments } from './momentsOf.ts';
import { normalCdf, normalQuantile } from './normal.ts';

/** Euler–Mascheroni. */
const GAMMA = 0.5772156649015329;

/**
 * Largest Sharpe ratio per period to expect of `trials` strategies without any skill: equation 1 of Bailey and
 * López de Prado, "The Deflated Sharpe Ratio" (2014).
 *
 * @param deviation of the trials' Sharpe ratios, per period
 */
export function expectedBestSharpe(trials: number, deviation: number): number {
  if (trials < 2) return 0;
  const [first, second] = [1 - 1 / trials, 1 - 1 / (trials * Math.E)];
  return deviation * ((1 - GAMMA) * normalQuantile(first) + GAMMA * normalQuantile(second));
}

/**
 * Probability that the true Sharpe ratio is above a benchmark (the probabilistic Sharpe ratio, equation 2 of
 * the same paper): all ratios per period, not annualised. Null if the sample is too small or flat.
 */
export function probabilisticSharpe(
  { count, mean, deviation, skewness, kurtosis }: Moments,
  benchmark: number,
): number | null {
  const sharpe = mean / deviation;
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;
  if (count < 2 || !(spread > 0)) return null;
  return normalCdf(((sharpe - benchmark) * Math.sqrt(count - 1)) / Math.sqrt(spread));
}

/**
 * The deflated Sharpe ratio: the probability that the best of many trials has skill, beyond what the best of as
 * many would show by chance.
 *
 * @param trialSharpes of every trial, including the best, per period
 */
export function deflatedSharpe(best: Moments, trialSharpes: ArrayLike<number>): number | null {
  const trials = trialSharpes.length;
  let [sum, squares] = [0, 0];
  for (let at = 0; at < trials; at++) sum += trialSharpes[at]!;
  const mean = sum / trials;
  for (let at = 0; at < trials; at++) squares += (trialSharpes[at]! - mean) ** 2;
  const deviation = trials < 2 ? 0 : Math.sqrt(squares / (trials - 1));
  return probabilisticSharpe(best, expectedBestSharpe(trials, deviation));
}
