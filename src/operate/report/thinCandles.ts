import { INTERVALS, INTERVAL_MS, barOpenTime, type Interval } from '../../contract/index.ts';
import type { ReportCandles } from './ReportData.ts';

export interface CandleColumns {
  interval: Interval;
  time: number[];
  open: number[];
  high: number[];
  low: number[];
  close: number[];
}

/** The candles in the shortest interval that needs no more than `maxBars`: a browser draws those smoothly. */
export function thinCandles(candles: ReportCandles, maxBars: number): CandleColumns {
  const longer = INTERVALS.filter(
    (interval) => INTERVAL_MS[interval] >= INTERVAL_MS[candles.interval],
  );
  const first = candles.time[0] ?? 0;
  const last = candles.time[candles.time.length - 1] ?? 0;
  const fits = longer.find((interval) => {
    const bars = (last - first) / INTERVAL_MS[interval];
    return interval === candles.interval ? candles.time.length <= maxBars : bars <= maxBars;
  });
  return aggregate(candles, fits ?? longer.at(-1)!);
}

function aggregate(candles: ReportCandles, interval: Interval): CandleColumns {
  const out: CandleColumns = { interval, time: [], open: [], high: [], low: [], close: [] };
  for (let index = 0; index < candles.time.length; index += 1) {
    const time = barOpenTime(candles.time[index]!, interval);
    if (out.time.at(-1) === time) extend(out, candles, index);
    else start(out, candles, index, time);
  }
  return out;
}

function start(out: CandleColumns, from: ReportCandles, index: number, time: number): void {
  out.time.push(time);
  out.open.push(from.open[index]!);
  out.high.push(from.high[index]!);
  out.low.push(from.low[index]!);
  out.close.push(from.close[index]!);
}

function extend(out: CandleColumns, from: ReportCandles, index: number): void {
  const at = out.time.length - 1;
  out.high[at] = Math.max(out.high[at]!, from.high[index]!);
  out.low[at] = Math.min(out.low[at]!, from.low[index]!);
  out.close[at] = from.close[index]!;
}
