import { INTERVAL_MS } from '../../contract/index.ts';
import { countUntil } from '../../env/index.ts';
import type { Feed } from '../../paper/feed/index.ts';
import type { ReportCandles } from '../report/index.ts';

/**
 * The bars that closed in a run, by symbol: views of the tape's own columns, since a copy of a million
 * bars would be most of what a run holds.
 *
 * @param startTime and endTime epoch milliseconds; bars that closed at the start are already history
 */
export function barsOfRun(
  feeds: readonly Feed[],
  {
    symbols,
    startTime,
    endTime,
  }: { symbols: readonly string[]; startTime: number; endTime: number },
): Record<string, ReportCandles> {
  const traded = feeds
    .filter(({ symbol }) => symbols.includes(symbol))
    .map((feed) => [feed.symbol, barsBetween(feed, startTime, endTime)] as const)
    .filter(([, { time }]) => time.length > 0);
  return Object.fromEntries(traded);
}

function barsBetween(feed: Feed, startTime: number, endTime: number): ReportCandles {
  const { interval, time, open, high, low, close, volume } = feed;
  const length = INTERVAL_MS[interval];
  const from = countUntil(time, startTime - length);
  const to = countUntil(time, endTime - length);
  const part = (column: Float64Array): Float64Array => column.subarray(from, to);
  return {
    interval,
    time: part(time),
    open: part(open),
    high: part(high),
    low: part(low),
    close: part(close),
    volume: part(volume),
  };
}
