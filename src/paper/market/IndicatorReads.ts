import {
  withDefaults,
  indicatorEntry,
  type IndicatorId,
  type Interval,
} from '../../contract/index.ts';
import { createIndicator, type Indicator } from '../../indicators/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { PaperMarket } from './PaperMarket.ts';

/** One value of one indicator, as legs, tracked entries and monitors ask for it. */
export interface ReadSpec {
  indicator: IndicatorId;
  series?: string | undefined;
  params?: Readonly<Record<string, number | undefined>> | undefined;
  interval: Interval;
}

/** The value at the last closed bar; `bar_time` is that bar's open time. */
export interface ReadResult {
  indicator: IndicatorId;
  interval: Interval;
  series: string;
  indicator_value: number;
  bar_time: number;
}

interface Entry {
  indicator: Indicator;
  barsSeen: number;
}

/**
 * Indicator values that bind to the last closed bar (MKT-2). Each combination is computed once for all
 * its readers and is fed only the bars that have closed since.
 */
export class IndicatorReads {
  readonly #market: PaperMarket;
  readonly #entries = new Map<string, Entry>();

  constructor(market: PaperMarket) {
    this.#market = market;
  }

  /** Throws `indicator_not_ready` with `bars_needed` and `bars_available`. */
  read(symbol: string, spec: ReadSpec): ReadResult {
    const series = spec.series ?? indicatorEntry(spec.indicator).series[0];
    const entry = this.#entry(symbol, spec);
    const bars = this.#market.closedBars(symbol, spec.interval);
    for (; entry.barsSeen < bars.length; entry.barsSeen++) {
      const index = entry.barsSeen;
      entry.indicator.next(
        bars.time[index]!,
        bars.open[index]!,
        bars.high[index]!,
        bars.low[index]!,
        bars.close[index]!,
        bars.volume[index]!,
      );
    }
    const value = entry.indicator.value(series);
    const needed = entry.indicator.barsNeededFor(series);
    if (bars.length < needed || Number.isNaN(value)) {
      const details = { bars_needed: needed, bars_available: bars.length };
      throw new ServiceError('indicator_not_ready', { details });
    }
    return {
      indicator: spec.indicator,
      interval: spec.interval,
      series,
      indicator_value: value,
      bar_time: bars.time[bars.length - 1]!,
    };
  }

  #entry(symbol: string, spec: ReadSpec): Entry {
    const params = withDefaults(spec.indicator, spec.params);
    const key = JSON.stringify([symbol, spec.interval, spec.indicator, params]);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { indicator: createIndicator(spec.indicator, params), barsSeen: 0 };
      this.#entries.set(key, entry);
    }
    return entry;
  }
}
