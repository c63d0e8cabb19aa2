import { INTERVALS, INTERVAL_MS, type Interval } from '../../contract/index.ts';
import type { CandleFault } from './checkCandle.ts';

/** Gaps of a quiet market are not of one length for so long. */
const LEAST_STEPS = 24;

const BY_LENGTH: ReadonlyMap<number, Interval> = new Map(
  INTERVALS.map((each) => [INTERVAL_MS[each], each]),
);

/**
 * Finds bars of a longer interval among those of the declared one, as in a file that was joined of two downloads. Each
 * opens at a multiple of the shorter interval, so that it passes for a bar of that with a gap after it.
 *
 * @param time open times, ascending, epoch ms
 * @returns with the first row of the longer interval
 */
export function mixedIntervals(
  time: Float64Array,
  interval: Interval,
): (CandleFault & { row: number }) | null {
  const named = INTERVAL_MS[interval];
  let hasNamed = false;
  let found: { row: number; longer: Interval } | undefined;
  let run = 0;
  let last = 0;
  for (let row = 1; row < time.length; row++) {
    const step = time[row]! - time[row - 1]!;
    run = step === last ? run + 1 : 1;
    last = step;
    if (step === named) hasNamed = true;
    else if (run === LEAST_STEPS && found === undefined) {
      const longer = BY_LENGTH.get(step);
      if (longer !== undefined) found = { row: row - LEAST_STEPS, longer };
    }
    if (hasNamed && found !== undefined) break;
  }
  if (!hasNamed || found === undefined) return null;
  const { row, longer } = found;
  const from = time[row]!;
  return {
    row,
    column: 'timestamp',
    value: String(from),
    message: `begins bars of ${longer} (${new Date(from).toISOString()}), and others here are of ${interval}: the file mixes intervals.`,
    remedy: 'Keep the bars of one interval, and give each other one a file of its own.',
  };
}
