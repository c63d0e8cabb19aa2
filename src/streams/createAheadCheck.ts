import { barCloseTime, type Interval } from '../contract/intervals.ts';
import type { CandleRecord } from '../contract/records.ts';
import type { ReportFault } from './StreamFault.ts';

/** No service's clock is off by more: a bar that ends, or one in progress that begins, later has a wrong time. */
const MOST_AHEAD_MS = 3_600_000;
/** How much of a bad bar is included in the log. */
const MOST_TEXT = 200;

/**
 * Tells bars of a time that has not come. Taken for the newest, one of them would stop a stream until a restart, since
 * what closes before it counts as known.
 */
export interface AheadCheck {
  /**
   * Of a closed bar.
   *
   * @param time by the service, epoch milliseconds
   */
  isAhead(openTime: number, time: number): boolean;
  /**
   * Whether the bar is of such a time; it is reported.
   *
   * @param isClosed by the frame that has it; default: by the bar itself
   */
  refuses(bar: CandleRecord, time: number, isClosed?: boolean): boolean;
  /** The bars that may have come; the first of the others is reported. */
  leaveOut(bars: readonly CandleRecord[], time: number): readonly CandleRecord[];
}

export function createAheadCheck(interval: Interval, report: ReportFault): AheadCheck {
  const isAhead = (openTime: number, time: number): boolean =>
    barCloseTime(openTime, interval) > time + MOST_AHEAD_MS;
  // A bar in progress closes in the future, one of a week by days.
  const isWrong = (bar: CandleRecord, time: number, isClosed = bar.closed): boolean =>
    isClosed ? isAhead(bar.time, time) : bar.time > time + MOST_AHEAD_MS;
  function refuses(bar: CandleRecord, time: number, isClosed = bar.closed): boolean {
    if (!isWrong(bar, time, isClosed)) return false;
    const text = JSON.stringify(bar).slice(0, MOST_TEXT);
    report({ kind: 'undecodable', fault: { reason: 'bad_data', detail: 'data.time', text } });
    return true;
  }
  return {
    isAhead,
    refuses,
    leaveOut(bars, time) {
      if (!bars.some((bar) => refuses(bar, time))) return bars;
      return bars.filter((bar) => !isWrong(bar, time));
    },
  };
}
