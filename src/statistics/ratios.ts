import { momentsOf } from './momentsOf.ts';

/**
 * Sharpe ratio of changes over equal periods: mean over sample deviation, annualised by the root of the
 * periods in a year, without a risk-free rate (Sharpe, "The Sharpe Ratio", 1994). Changes in quote units
 * give the same as returns on a fixed capital. Null where nothing varies.
 */
export function sharpeRatio(changes: readonly number[], periodsAYear: number): number | null {
  const { count, mean, deviation } = momentsOf(changes);
  if (count < 2 || deviation === 0) return null;
  return (mean / deviation) * Math.sqrt(periodsAYear);
}

/**
 * Sortino ratio: mean over downside deviation, the root of the mean square of what is below zero over
 * all periods (Sortino and Price, 1994), annualised alike. Null without a losing period.
 */
export function sortinoRatio(changes: readonly number[], periodsAYear: number): number | null {
  const downside = changes.reduce((sum, change) => sum + Math.min(0, change) ** 2, 0);
  if (changes.length < 2 || downside === 0) return null;
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  return (mean / Math.sqrt(downside / changes.length)) * Math.sqrt(periodsAYear);
}

/** Calmar ratio: what a year earns at this pace over the largest drawdown. Null without a drawdown. */
export function calmarRatio(
  { pnl, drawdown, days }: { pnl: number; drawdown: number; days: number },
  daysAYear: number,
): number | null {
  return drawdown > 0 && days > 0 ? ((pnl / days) * daysAYear) / drawdown : null;
}

/** Sharpe ratio over each window of so many periods, from the first whole window on; NaN where flat. */
export function rollingSharpe(
  changes: readonly number[],
  window: number,
  periodsAYear: number,
): number[] {
  const count = Math.max(0, changes.length - window + 1);
  return Array.from(
    { length: count },
    (_none, start) => sharpeRatio(changes.slice(start, start + window), periodsAYear) ?? NaN,
  );
}
