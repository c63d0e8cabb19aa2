import type { IndicatorId } from '../../src/contract/index.ts';
import { createIndicator } from '../../src/indicators/index.ts';

/** Bars in columns, as the references give them. */
export interface Columns {
  time: number[];
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  volume: number[];
}

export type Params = Readonly<Record<string, number>>;

/** Every value of one series of an indicator, bar by bar; NaN before it is ready. */
export function seriesOf(
  id: IndicatorId,
  bars: Columns,
  params: Params = {},
  series?: string,
): number[] {
  const indicator = createIndicator(id, params);
  return bars.close.map((close, i) => {
    const { time, open, high, low, volume } = bars;
    indicator.next(time[i]!, open[i]!, high[i]!, low[i]!, close, volume[i]!);
    return indicator.value(series);
  });
}

/** Bars that carry nothing but closes. */
export function fromCloses(close: number[]): Columns {
  return { ...fromRanges(close, close, close) };
}

/** Bars of given extremes and closes, a minute apart, each of volume 1. */
export function fromRanges(high: number[], low: number[], close: number[]): Columns {
  const time = close.map((_, i) => i * 60_000);
  return { time, open: close, high, low, close, volume: close.map(() => 1) };
}
