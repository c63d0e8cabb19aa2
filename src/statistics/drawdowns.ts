import { conditionalValueAtRisk } from './tails.ts';
import type { TimedValue } from './curves.ts';
import { momentsOf } from './momentsOf.ts';
import { areReturns, finite, mean, quotient, sum } from './numbers.ts';

/** A fall of an equity curve, from its peak to the recovery. */
export interface DrawdownPeriod {
  /** Last time at the peak; lowest point; first time at or above the peak again, null if the curve ends before. */
  start: number;
  valley: number;
  end: number | null;
  /** Until the recovery, or until the end of the curve. */
  durationMs: number;
  /** Quote units, and as a share of the equity at the peak; both above zero. */
  amount: number;
  depth: number;
}

/**
 * Every fall of an equity curve from a peak, deepest share first: the periods of quantstats `stats.drawdown_details`,
 * which counts the start from the first point below the peak, one later than here.
 *
 * @param curve equity, ascending in time
 */
export function drawdownPeriods(curve: readonly TimedValue[]): DrawdownPeriod[] {
  const periods: DrawdownPeriod[] = [];
  let [peakTime, peak] = curve[0] ?? [0, 0];
  let open: DrawdownPeriod | null = null;
  for (const [time, value] of curve) {
    if (value >= peak) {
      if (open !== null) periods.push({ ...open, end: time, durationMs: time - open.start });
      [open, peakTime, peak] = [null, time, value];
      continue;
    }
    const amount = peak - value;
    open ??= { start: peakTime, valley: time, end: null, durationMs: 0, amount: 0, depth: 0 };
    open.durationMs = time - open.start;
    if (amount <= open.amount) continue;
    Object.assign(open, { valley: time, amount, depth: peak > 0 ? amount / peak : 0 });
  }
  if (open !== null) periods.push(open);
  return periods.toSorted((a, b) => b.depth - a.depth);
}

/**
 * Distance of the compounded return from its peak so far, the start included, as a share of the peak, zero or less:
 * quantstats `stats.to_drawdown_series`.
 */
export function drawdownSeries(returns: readonly number[]): number[] {
  let [value, peak] = [1, 1];
  return returns.map((each) => {
    value *= 1 + each;
    peak = Math.max(peak, value);
    return value / peak - 1;
  });
}

/** Largest fall of the compounded return, a share above zero: quantstats `stats.max_drawdown`, without its sign. */
export function deepestDrawdown(returns: readonly number[]): number | null {
  if (!areReturns(returns)) return null;
  return finite(-Math.min(0, ...drawdownSeries(returns)));
}

/** |Sum of returns| over the largest drawdown: quantstats `stats.recovery_factor`. */
export function recoveryFactor(returns: readonly number[]): number | null {
  const fall = deepestDrawdown(returns);
  return fall === null ? null : quotient(Math.abs(sum(returns)), fall);
}

/** √(Σ drawdown² / (n − 1)): quantstats `stats.ulcer_index`. */
export function ulcerIndex(returns: readonly number[]): number | null {
  if (!areReturns(returns) || returns.length < 2) return null;
  const squares = drawdownSeries(returns).map((fall) => fall ** 2);
  return finite(Math.sqrt(sum(squares) / (returns.length - 1)));
}

/**
 * Sum of returns over (ulcer index × pitfall), the pitfall being the expected shortfall of the drawdowns over the sample
 * deviation of returns: quantstats `stats.serenity_index`.
 */
export function serenityIndex(returns: readonly number[]): number | null {
  const ulcer = ulcerIndex(returns);
  const shortfall = ulcer === null ? null : conditionalValueAtRisk(drawdownSeries(returns));
  if (ulcer === null || shortfall === null) return null;
  const pitfall = quotient(-shortfall, momentsOf(returns).deviation);
  return pitfall === null ? null : quotient(sum(returns), ulcer * pitfall);
}

/** Mean depth of the drawdowns of a curve, a share above zero; null without one: quantstats' "Avg. Drawdown". */
export function averageDrawdown(periods: readonly DrawdownPeriod[]): number | null {
  return finite(mean(periods.map(({ depth }) => depth)));
}
