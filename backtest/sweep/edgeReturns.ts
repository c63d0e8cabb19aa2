import { DAY_MS } from '../../src/contract/durations.ts';
import { valuesAtPeriods, type TimedValue } from '../../src/statistics/index.ts';

/**
 * Returns of a run before its first and after its last midnight of UTC, which {@link dailyReturns} leaves out; of a
 * run without a midnight its whole return, and 0. Like a day, a part that began without equity counts as 0.
 *
 * @param curve P&L since the start, quote units
 * @param capital equity at the start, quote units
 */
export function edgeReturns(
  curve: readonly TimedValue[],
  capital: number,
): readonly [head: number, tail: number] {
  const end = curve.at(-1)?.[1] ?? 0;
  const midnights = valuesAtPeriods(curve, DAY_MS);
  const [first, last] = [midnights[0] ?? end, midnights.at(-1) ?? end];
  return [change(capital, capital + first), change(capital + last, capital + end)];
}

const change = (from: number, to: number): number => (from > 0 ? to / from - 1 : 0);
