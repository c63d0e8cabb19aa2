import { INTERVALS, INTERVAL_MS, type Interval } from '../../contract/index.ts';
import type { CandleFault } from './checkCandle.ts';

/** With a single spacing, a gap and a longer interval look the same. */
const MIN_ROWS = 3;

/**
 * Refuses a file whose bars are longer than the declared interval: every bar of a 5m file opens at a
 * multiple of 1m, and read as 1m bars four fifths of the time would be missing. Gaps are allowed.
 *
 * @param time open times, ascending, epoch ms
 */
export function checkSpacing(time: Float64Array, interval: Interval): CandleFault | null {
  const named = INTERVAL_MS[interval];
  if (time.length < MIN_ROWS) return null;
  let step = 0;
  for (let row = 1; row < time.length; row++) {
    step = greatestDivisor(time[row]! - time[row - 1]!, step);
    if (step === named) return null;
  }
  const likely = INTERVALS.filter((each) => INTERVAL_MS[each] > named)
    .toSorted((a, b) => INTERVAL_MS[b] - INTERVAL_MS[a])
    .find((each) => step % INTERVAL_MS[each] === 0);
  if (likely === undefined) return null;
  return {
    column: 'timestamp',
    value: null,
    message: `holds no two bars ${interval} apart: this looks like ${likely}.`,
    remedy: `Name the interval that the file has: SYMBOL@${likely}=…, or \`interval: ${likely}\` in the YAML.`,
  };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
