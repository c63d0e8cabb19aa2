import {
  withDefaults,
  indicatorEntry,
  type IndicatorId,
  type Interval,
} from '../../contract/index.ts';
import { createIndicator, type Indicator } from '../../indicators/index.ts';
import type { BarSeries } from '../core/Market.ts';
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
  /** By series, at the last bar that was seen; empty until somebody reads it. */
  results: Map<string, ReadResult>;
}

/**
 * Indicator values that bind to the last closed bar (MKT-2). Each combination is computed once for all
 * its readers and is fed only the bars that have closed since.
 */
export class IndicatorReads {
  readonly #market: PaperMarket;
  readonly #entries = new Map<string, Entry>();
  /** By the spec's object: a hundred trails read theirs at each bar, and making a key costs more than the value. */
  readonly #known = new WeakMap<ReadSpec, { symbol: string; entry: Entry }>();

  constructor(market: PaperMarket) {
    this.#market = market;
  }

  /**
   * The same object for the same bar.
   *
   * @throws ServiceError `indicator_not_ready` with `bars_needed` and `bars_available`
   */
  read(symbol: string, spec: ReadSpec): Readonly<ReadResult> {
    const entry = this.#knownEntry(symbol, spec);
    const bars = this.#market.closedBars(symbol, spec.interval);
    if (entry.barsSeen < bars.length) feed(entry, bars);
    const series = spec.series ?? indicatorEntry(spec.indicator).series[0];
    const known = entry.results.get(series);
    if (known !== undefined) return known;
    const value = entry.indicator.value(series);
    const needed = entry.indicator.barsNeededFor(series);
    if (bars.length < needed || Number.isNaN(value)) {
      const details = { bars_needed: needed, bars_available: bars.length };
      throw new ServiceError('indicator_not_ready', { details });
    }
    const result: ReadResult = {
      indicator: spec.indicator,
      interval: spec.interval,
      series,
      indicator_value: value,
      bar_time: bars.time[bars.length - 1]!,
    };
    entry.results.set(series, result);
    return result;
  }

  #knownEntry(symbol: string, spec: ReadSpec): Entry {
    const known = this.#known.get(spec);
    if (known?.symbol === symbol) return known.entry;
    const entry = this.#entry(symbol, spec);
    this.#known.set(spec, { symbol, entry });
    return entry;
  }

  #entry(symbol: string, spec: ReadSpec): Entry {
    const params = withDefaults(spec.indicator, spec.params);
    const key = JSON.stringify([symbol, spec.interval, spec.indicator, params]);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      const indicator = createIndicator(spec.indicator, params);
      entry = { indicator, barsSeen: 0, results: new Map() };
      this.#entries.set(key, entry);
    }
    return entry;
  }
}

function feed(entry: Entry, bars: BarSeries): void {
  entry.results.clear();
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
}
