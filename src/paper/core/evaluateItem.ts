import type { EvaluateItem, IndicatorValue } from '../../contract/index.ts';
import type { Indicator } from '../../indicators/index.ts';
import type { BarSeries } from './Market.ts';
import { ServiceError } from './ServiceError.ts';

/** One value, or every line of an indicator that has several if none was requested (MKT-2, MKT-4). */
export function evaluateItem(read: {
  item: EvaluateItem;
  index: number;
  indicator: Indicator;
  bars: BarSeries;
  barTime: number;
}): IndicatorValue {
  const { item, index, indicator, bars, barTime } = read;
  const all = item.series === undefined && indicator.series.length > 1;
  const needed = all ? indicator.barsNeeded : indicator.barsNeededFor(item.series);
  if (bars.length < needed) {
    throw new ServiceError('indicator_not_ready', {
      message: `${item.indicator} needs ${needed} closed bars; there are ${bars.length}.`,
      details: {
        path: `indicators.${index}`,
        id: item.id,
        bars_needed: needed,
        bars_available: bars.length,
      },
    });
  }
  const head = { id: item.id, indicator: item.indicator, bar_time: barTime };
  if (!all) return { ...head, value: indicator.value(item.series) };
  const lines = indicator.series.map((name) => [name, indicator.value(name)]);
  return { ...head, series: Object.fromEntries(lines) as Record<string, number> };
}
