import { DAY_MS } from '../../../contract/durations.ts';
import type { TimedValue } from '../../../statistics/index.ts';

/**
 * Return from the beginning of a stretch to the end of a curve: of the calendar month (`m`, 0) or year (`y`, 0) that the
 * end is in, or of the last `count` months. Null if the curve begins later, or without equity then.
 *
 * @param equity ascending in time
 */
export function returnSince(
  equity: readonly TimedValue[],
  kind: 'm' | 'y',
  count: number,
): number | null {
  const [first, last] = [equity[0], equity.at(-1)];
  if (first === undefined || last === undefined) return null;
  const from = startOf(last[0], kind, count);
  // A stretch to date counts from the run's own start if that is later; one of a length has to be whole.
  if (count > 0 && first[0] > from) return null;
  const start = equity.findLast(([time]) => time <= from) ?? first;
  return start[1] > 0 ? last[1] / start[1] - 1 : null;
}

function startOf(end: number, kind: 'm' | 'y', count: number): number {
  // What ends at midnight of the first ends the month before.
  const date = new Date(count === 0 ? end - 1 : end);
  if (count === 0) {
    return Date.UTC(date.getUTCFullYear(), kind === 'y' ? 0 : date.getUTCMonth(), 1);
  }
  const month = date.getUTCMonth() - count;
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), lastDay));
  return midnight + (end % DAY_MS);
}
