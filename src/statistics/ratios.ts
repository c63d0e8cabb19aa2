import { createDrawdown } from './createDrawdown.ts';
import { DAYS_A_YEAR } from './curves.ts';
import { momentsOf } from './momentsOf.ts';
import { finite, sum } from './numbers.ts';

/**
 * Ratios of daily returns, by the formulas that quantstats publishes (its stats.py), with 365 periods a year
 * and without a risk-free rate. Each is null if it is not defined: with too few days, with a zero divisor, or
 * if a day has no return.
 */

/** Shown beside such a ratio on every page and table. */
export const RATIO_CONVENTION =
  'daily UTC returns of equity, annualised with √365, no risk-free rate';

const ROOT = Math.sqrt(DAYS_A_YEAR);

/** Mean over sample deviation, annualised: quantstats `stats.sharpe`. */
export function sharpeRatio(returns: readonly number[]): number | null {
  const { count, mean, deviation } = momentsOf(returns);
  if (count < 2 || deviation === 0) return null;
  return finite((mean / deviation) * ROOT);
}

/**
 * Mean over downside deviation, which is the root of the sum of squares of the losing days over all days,
 * annualised: quantstats `stats.sortino`. Null without a losing day.
 */
export function sortinoRatio(returns: readonly number[]): number | null {
  const squares = sum(returns.map((value) => Math.min(0, value) ** 2));
  if (returns.length < 2 || squares === 0) return null;
  const mean = sum(returns) / returns.length;
  return finite((mean / Math.sqrt(squares / returns.length)) * ROOT);
}

/** Sample deviation, annualised: quantstats `stats.volatility`. */
export function volatility(returns: readonly number[]): number | null {
  return finite(momentsOf(returns).deviation * ROOT);
}

/**
 * Compound annual growth: the total growth of the days, to the power of the days of a year over theirs, minus
 * one: quantstats `stats.cagr`. Null if more than everything was lost.
 */
export function annualGrowth(returns: readonly number[]): number | null {
  const growth = returns.reduce((product, value) => product * (1 + value), 1);
  if (returns.length === 0 || growth < 0) return null;
  return finite(growth ** (DAYS_A_YEAR / returns.length) - 1);
}

/** Compound annual growth over the largest fall of the daily equity: quantstats `stats.calmar`. */
export function calmarRatio(returns: readonly number[]): number | null {
  const [growth, fall] = [annualGrowth(returns), dailyDrawdown(returns)];
  return growth === null || fall === 0 ? null : finite(growth / fall);
}

/**
 * Largest fall of the compounded return from its peak so far, the start included, as a share of the peak:
 * quantstats `stats.max_drawdown` with the opposite sign.
 */
function dailyDrawdown(returns: readonly number[]): number {
  const drawdown = createDrawdown((value) => value, 1);
  let value = 1;
  for (const [day, each] of returns.entries()) drawdown.sample(day, (value *= 1 + each));
  return drawdown.deepest(value).share;
}
