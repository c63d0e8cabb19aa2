import { barCloseTime, type Interval } from '../contract/intervals.ts';
import type { CandleRecord } from '../contract/records.ts';
import type { ReportFault } from './StreamFault.ts';

/** No service's clock is off by more: a bar that closes later than this has a wrong time. */
const MOST_AHEAD_MS = 3_600_000;
/** How much of a bad bar is included in the log. */
const MOST_TEXT = 200;

/**
 * Tells bars of a time that has not come. Taken for the newest, one of them would stop a stream until a restart, since
 * what closes before it counts as known.
 */
export interface AheadCheck {
  /** @param time by the service, epoch milliseconds */
  isAhead(openTime: number, time: number): boolean;
  /** Whether the bar is of such a time; it is reported. */
  refuses(bar: CandleRecord, time: number): boolean;
  /** The bars that may have come; the first of the others is reported. */
  leaveOut(bars: readonly CandleRecord[], time: number): readonly CandleRecord[];
}

export function createAheadCheck(interval: Interval, report: ReportFault): AheadCheck {
  const isAhead = (openTime: number, time: number): boolean =>
    barCloseTime(openTime, interval) > time + MOST_AHEAD_MS;
  function refuses(bar: CandleRecord, time: number): boolean {
    if (!isAhead(bar.time, time)) return false;
    const text = JSON.stringify(bar).slice(0, MOST_TEXT);
    report({ kind: 'undecodable', fault: { reason: 'bad_data', detail: 'data.time', text } });
    return true;
  }
  return {
    isAhead,
    refuses,
    leaveOut(bars, time) {
      if (!bars.some((bar) => refuses(bar, time))) return bars;
      return bars.filter((bar) => !isAhead(bar.time, time));
    },
  };
}
