import type { Interval } from '../../contract/index.ts';
import { countUntil } from '../../env/countUntil.ts';
import type { ReportCandles, ReportData, ReportLevel, ReportPlot } from './ReportData.ts';
import type { CandleColumns } from './thinCandles.ts';

/** A line on the bars of a chart: the value of each bar that has one. */
export interface ChartPlot {
  strategy: string;
  /** Lines of one group are switched together. */
  group: string;
  name: string;
  /** `price`, or the name of a pane below. */
  pane: string;
  /** Indices of bars, ascending. */
  bars: number[];
  values: number[];
}

/** A level as it moved, by indices of bars. */
export interface ChartLevel extends Pick<ReportLevel, 'strategy' | 'kind'> {
  /** Bars at which it was set, ascending. */
  bars: number[];
  prices: number[];
  /** Its last bar; null while it is in force. */
  until: number | null;
  end: string | null;
}

/** What is drawn over a symbol's candles, beside its trades. */
export interface SymbolChart {
  plots: ChartPlot[];
  levels: ChartLevel[];
}

/** Digits of a drawn value: more can't be seen, and the page would be larger. */
const DIGITS = 6;

/** Indicators, plotted values and levels of each symbol, on the bars that its chart shows. */
export function toCharts(
  data: Pick<ReportData, 'symbols' | 'plots' | 'levels' | 'strategies'>,
  shown: Readonly<Record<string, CandleColumns>>,
): Record<string, SymbolChart> {
  const charts = Object.entries(shown).map(([symbol, bars]): [string, SymbolChart] => {
    const { plots = [], levels = [] } = data;
    const isOf = (one: { symbol: string }): boolean => one.symbol === symbol;
    const own = plots.filter(isOf);
    const isShared = new Set(own.map(({ strategy }) => strategy)).size > 1;
    const paneOf = panesOf(own, data.symbols[symbol]!);
    const toName = nameOf(data.symbols[symbol]!.interval, isShared);
    return [
      symbol,
      {
        plots: own.map((plot) => ({
          strategy: plot.strategy,
          group: toName(plot, plot.group),
          name: toName(plot, plot.name),
          pane: paneOf(plot),
          ...onBars(plot, bars.time),
        })),
        levels: levels.filter(isOf).map((level) => toLevel(level, bars.time)),
      },
    ];
  });
  return Object.fromEntries(charts);
}

/** The interval is named where it is not the chart's, the strategy where there are several. */
function nameOf(interval: Interval, isShared: boolean) {
  return (plot: ReportPlot, name: string): string => {
    const other = plot.interval === undefined || plot.interval === interval ? '' : plot.interval;
    return [name, other, isShared ? `· ${plot.strategy}` : ''].filter(Boolean).join(' ');
  };
}

/** The pane of each line: its own, else the candles if all lines of its group are near their prices. */
function panesOf(plots: readonly ReportPlot[], candles: ReportCandles) {
  const [lowest, highest] = [extreme(candles.low, Math.min), extreme(candles.high, Math.max)];
  const isNear = (value: number): boolean => value >= lowest / 2 && value <= highest * 2;
  const groupOf = ({ strategy, group }: ReportPlot): string => JSON.stringify([strategy, group]);
  const far = new Set(
    plots
      .filter(({ pane, values }) => pane === undefined && !values.every(isNear))
      .map((plot) => groupOf(plot)),
  );
  return (plot: ReportPlot): string => plot.pane ?? (far.has(groupOf(plot)) ? plot.group : 'price');
}

function extreme(values: ArrayLike<number>, of: (a: number, b: number) => number): number {
  let found = values[0] ?? 0;
  for (let at = 1; at < values.length; at++) found = of(found, values[at]!);
  return found;
}

/** Index of the bar that holds a time; −1 before the first. */
export const barAt = (times: readonly number[], time: number): number =>
  countUntil(times, time) - 1;

/**
 * A line on bars: one value a bar. Where bars hold several, each two bars get the lowest and the highest of both, in
 * their order, so that the line keeps its extremes.
 */
export function onBars(
  { times, values }: Pick<ReportPlot, 'times' | 'values'>,
  barTimes: readonly number[],
): Pick<ChartPlot, 'bars' | 'values'> {
  // What is known at a bar's close belongs to that bar, not to the one that opens then.
  const places = times.map((time) => barAt(barTimes, time - 1));
  const isDense = places.some((place, at) => place >= 0 && place === places[at - 1]);
  const out: Pick<ChartPlot, 'bars' | 'values'> = { bars: [], values: [] };
  const put = (bar: number, value: number): void => {
    out.bars.push(bar);
    out.values.push(Number(value.toPrecision(DIGITS)));
  };
  if (!isDense) {
    for (const [at, bar] of places.entries()) if (bar >= 0) put(bar, values[at]!);
    return out;
  }
  for (let from = 0; from < places.length;) {
    const pair = places[from]! >> 1;
    let [until, low, high] = [from, from, from];
    for (; until < places.length && places[until]! >> 1 === pair; until++) {
      if (values[until]! < values[low]!) low = until;
      if (values[until]! >= values[high]!) high = until;
    }
    if (pair >= 0 && low === high) put(places[low]!, values[low]!);
    else if (pair >= 0) {
      put(2 * pair, values[Math.min(low, high)]!);
      if (2 * pair + 1 < barTimes.length) put(2 * pair + 1, values[Math.max(low, high)]!);
    }
    from = until;
  }
  return out;
}

/** Of several moves within a bar the last one is drawn. */
function toLevel(level: ReportLevel, barTimes: readonly number[]): ChartLevel {
  const { strategy, kind, times, prices, end_time, end = null } = level;
  const [bars, shown]: [number[], number[]] = [[], []];
  for (const [at, time] of times.entries()) {
    const bar = Math.max(0, barAt(barTimes, time));
    if (bars.at(-1) !== bar) bars.push(bar);
    shown[bars.length - 1] = Number(prices[at]!.toPrecision(DIGITS));
  }
  const until =
    end_time === undefined ? null : Math.max(bars.at(-1) ?? 0, barAt(barTimes, end_time));
  return { strategy, kind, bars, prices: shown, until, end };
}
