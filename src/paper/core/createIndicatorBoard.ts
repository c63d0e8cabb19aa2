import type { IndicatorId, Interval } from '../../contract/index.ts';
import { createIndicator, type Indicator } from '../../indicators/index.ts';
import type { BarSeries } from './Market.ts';

/** Indicators that callers requested, each fed with the closed bars that it hasn't seen yet. */
export interface IndicatorBoard {
  /** The indicator as of the series' last bar. */
  at(
    read: { symbol: string; interval: Interval; indicator: IndicatorId; params: object },
    bars: BarSeries,
  ): Indicator;
}

interface Row {
  indicator: Indicator;
  seen: number;
}

/** Beyond this number the least recently used one is dropped, and rebuilt on demand. */
const MAX_ROWS = 512;

export function createIndicatorBoard(): IndicatorBoard {
  const rows = new Map<string, Row>();
  return {
    at(read, bars) {
      const indicator = createIndicator(read.indicator, { ...read.params });
      const params = JSON.stringify(indicator.params);
      const name = [read.symbol, read.interval, read.indicator, params].join('\n');
      const known = rows.get(name);
      const row = known !== undefined && known.seen <= bars.length ? known : { indicator, seen: 0 };
      rows.delete(name);
      rows.set(name, row);
      if (rows.size > MAX_ROWS) rows.delete(rows.keys().next().value ?? '');
      feed(row, bars);
      return row.indicator;
    },
  };
}

function feed(row: Row, bars: BarSeries): void {
  const { time, open, high, low, close, volume } = bars;
  for (let at = row.seen; at < bars.length; at++) {
    row.indicator.next(time[at]!, open[at]!, high[at]!, low[at]!, close[at]!, volume[at]!);
  }
  row.seen = bars.length;
}
