import { SeenIds } from '../../src/paper/index.ts';
import type { Finding } from './Finding.ts';

/** Checks times row by row, as they come, against all rows before. Rows without a time have no order. */
export function watchOrder(
  time: Float64Array,
): (row: number) => Pick<Finding, 'kind' | 'detail'> | null {
  let latest = -Infinity;
  // For a file in order, which most are, nothing needs to be stored.
  let seen: SeenIds | null = null;
  return (row) => {
    const now = time[row]!;
    if (!Number.isFinite(now)) return null;
    if (now > latest) {
      latest = now;
      seen?.add(now);
      return null;
    }
    seen ??= seenIn(time.subarray(0, row));
    if (!seen.add(now)) return { kind: 'duplicate', detail: 'occurs twice' };
    return { kind: 'out_of_order', detail: 'follows a later one' };
  };
}

function seenIn(times: Float64Array): SeenIds {
  const seen = new SeenIds();
  for (const time of times) if (Number.isFinite(time)) seen.add(time);
  return seen;
}
