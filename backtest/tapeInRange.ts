import type { LoadedTape } from '../src/operate/run/index.ts';
import { failed, type RunResult } from '../src/operate/run/RunFailure.ts';
import { boundaryFrom } from './barBoundary.ts';
import { cutAt, type TimeRange } from './TimeRange.ts';
import { explainEmptyRange } from './explainEmptyRange.ts';

/**
 * The part of a tape that is traded in a range: it ends with the range, and bars before its begin are
 * history.
 */
export interface TapeInRange {
  tape: LoadedTape;
  /** Epoch milliseconds; undefined for the first bar after the warm-up. */
  startTime: number | undefined;
}

/** A failure explains why nothing of the tape would be traded in the range, and what could be. */
export function tapeInRange(tape: LoadedTape, range: TimeRange): RunResult<TapeInRange> {
  const nothing = explainEmptyRange(tape, range);
  if (nothing !== undefined) return failed('TRIMTAB_TAPE_NOTHING_TO_TRADE', nothing);
  const { from, until } = range;
  const { data } = tape;
  const startTime = from === undefined ? undefined : boundaryFrom(data.feeds, from);
  const cut = until === undefined ? tape : { ...tape, data: cutAt(data, until) };
  return { ok: true, value: { tape: cut, startTime } };
}
