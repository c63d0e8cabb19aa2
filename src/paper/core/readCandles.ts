import type { CandleRecord, CandlesQuery } from '../../contract/index.ts';
import type { BarSeries, Market } from './Market.ts';

/**
 * Closed bars in `[start_time, end_time)`, ascending: the last `limit` of them, or the first if a start
 * is given; then the bar in progress if it is requested (MKT-1). It follows the last closed bar only: who
 * reads on from a page's last bar would miss those between.
 */
export function readCandles(
  market: Market,
  symbol: string,
  query: CandlesQuery,
  defaultLimit: number,
): CandleRecord[] {
  const { interval, start_time: from = -Infinity, end_time: until = Infinity } = query;
  const bars = market.closedBars(symbol, interval);
  const limit = query.limit ?? defaultLimit;
  let start = firstAtOrAfter(bars, from);
  let end = firstAtOrAfter(bars, until);
  if (query.start_time === undefined) start = Math.max(start, end - limit);
  else end = Math.min(end, start + limit);
  const rows: CandleRecord[] = [];
  for (let at = start; at < end; at++) rows.push(closedCandle(bars, at));
  const forming = query.include_forming === true ? market.formingBar(symbol, interval) : null;
  if (forming !== null && end === bars.length && forming.time >= from && forming.time < until) {
    rows.push({ ...forming, closed: false });
  }
  return rows;
}

/** One closed bar of a series as the wire shows it. */
function closedCandle(bars: BarSeries, at: number): CandleRecord {
  return {
    time: bars.time[at]!,
    open: bars.open[at]!,
    high: bars.high[at]!,
    low: bars.low[at]!,
    close: bars.close[at]!,
    volume: bars.volume[at]!,
    closed: true,
  };
}

function firstAtOrAfter(bars: BarSeries, time: number): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bars.time[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
