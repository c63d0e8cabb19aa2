// Indicators and plotted values: lines on the candles and in panes below, switched by group.
import type * as Library from 'lightweight-charts';
import type { PageData } from '../toPageData.ts';
import { toggle } from './cards.ts';
import { library, toChartTime } from './charts.ts';
import { barIndexAt, type BarTimes, type CandleChart } from './candleChart.ts';
import { el, indicator, type PriceFormat } from './format.ts';

export type Plot = PageData['charts'][string]['plots'][number];

/** Distinct from the strategies' colours by shade, and readable on both grounds. */
const PLOT_PALETTE = [
  '#ad7400',
  '#7b6cf0',
  '#0f9bb0',
  '#c04fa8',
  '#6b8e23',
  '#d1604a',
  '#4f86c6',
  '#8d7a66',
];
const ON_PRICE = 'price';
/** What is drawn until the reader asks for more. */
const FIRST_GROUPS_ON_PRICE = 5;
const FIRST_PANES = 3;
const CHART_PIXELS = 480;
const PANE_PIXELS = 120;

interface DrawnPlot {
  plot: Plot;
  series: Library.ISeriesApi<'Line'>;
}

/** The lines of the present symbol. */
export interface CandlePlots {
  show: (plots: readonly Plot[], times: BarTimes, price: PriceFormat) => void;
  /** Values at the pointer; without one, of each the last up to a bar. */
  showValues: (bar: number, seriesData?: Library.MouseEventParams['seriesData']) => void;
}

export function createPlots(
  { chart }: CandleChart,
  parts: { holder: HTMLElement; chips: HTMLElement },
): CandlePlots {
  let plots: readonly Plot[] = [];
  let times: BarTimes = [];
  let price: PriceFormat = indicator;
  let drawn: DrawnPlot[] = [];
  let shown = new Set<string>();
  let values = new Map<string, HTMLElement>();
  /** The last bar in view. */
  let lastBar = Infinity;

  const colours = new Map<Plot, string>();
  const groupsOf = (): Map<string, Plot[]> => Map.groupBy(plots, ({ group }) => group);

  /** Lines of a group on the candles have one colour; in a pane each has its own. */
  function colour(): void {
    colours.clear();
    const used = new Map<string, number>();
    const next = (pane: string): string => {
      const at = used.get(pane) ?? 0;
      used.set(pane, at + 1);
      return PLOT_PALETTE[at % PLOT_PALETTE.length]!;
    };
    for (const lines of groupsOf().values()) {
      const onPrice = lines[0]!.pane === ON_PRICE ? next(ON_PRICE) : null;
      for (const plot of lines)
        colours.set(plot, plot.pane === ON_PRICE ? (onPrice ?? next(ON_PRICE)) : next(plot.pane));
    }
  }

  function draw(): void {
    for (const { series } of drawn) chart.removeSeries(series);
    const visible = plots.filter(({ group }) => shown.has(group));
    const panes = [...new Set(visible.map(({ pane }) => pane))].filter((one) => one !== ON_PRICE);
    drawn = visible.map((plot) => ({ plot, series: addLine(plot, panes.indexOf(plot.pane) + 1) }));
    const isNarrow = matchMedia('(max-width: 700px)').matches;
    const [price, below] = isNarrow ? [360, 90] : [CHART_PIXELS, PANE_PIXELS];
    parts.holder.style.height = `${price + below * panes.length}px`;
    chart.panes().forEach((pane, at) => pane.setStretchFactor(at === 0 ? price : below));
    showValues(lastBar);
  }

  function addLine(plot: Plot, pane: number): Library.ISeriesApi<'Line'> {
    const series = chart.addSeries(
      library().LineSeries,
      {
        color: colours.get(plot)!,
        lineWidth: 1,
        priceLineVisible: false,
        lastValueVisible: pane > 0,
        crosshairMarkerRadius: 2,
        title: pane > 0 && !isAlone(plot) ? shortName(plot) : '',
      },
      pane,
    );
    series.setData(toLine(plot, times));
    return series;
  }

  const isAlone = ({ pane }: Plot): boolean =>
    plots.filter((other) => other.pane === pane).length === 1;

  function showChips(): void {
    values = new Map();
    const chips = [...groupsOf()].map(([group, lines]) => {
      const value = el('span', { class: 'value' });
      values.set(group, value);
      const dots = [...new Set(lines.map((plot) => colours.get(plot)!))].map((one) =>
        el('i', { class: 'dot', style: `background:${one}` }),
      );
      return toggle([...dots, group, value], shown.has(group), (pressed) => {
        if (pressed) shown.add(group);
        else shown.delete(group);
        draw();
      });
    });
    parts.chips.replaceChildren(...chips);
  }

  function showValues(bar: number, at?: Library.MouseEventParams['seriesData']): void {
    lastBar = bar;
    const texts = new Map<string, string[]>();
    for (const { plot, series } of drawn) {
      const point = at?.get(series) as Library.LineData | undefined;
      const value = at === undefined || at.size === 0 ? valueUntil(plot, bar) : point?.value;
      const group = texts.get(plot.group) ?? [];
      texts.set(plot.group, group);
      group.push(plot.pane === ON_PRICE ? price(value) : indicator(value));
    }
    for (const [group, element] of values) {
      element.textContent = texts.get(group)?.join('  ') ?? '';
    }
  }

  return {
    show(nextPlots, nextTimes, nextPrice) {
      [plots, times, price] = [nextPlots, nextTimes, nextPrice];
      shown = firstGroups([...groupsOf()]);
      colour();
      showChips();
      draw();
    },
    showValues,
  };
}

function firstGroups(groups: readonly (readonly [string, readonly Plot[]])[]): Set<string> {
  const onPrice = groups.filter(([, [plot]]) => plot!.pane === ON_PRICE);
  const below = groups.filter(([, [plot]]) => plot!.pane !== ON_PRICE);
  const panes = [...new Set(below.map(([, [plot]]) => plot!.pane))].slice(0, FIRST_PANES);
  return new Set([
    ...onPrice.slice(0, FIRST_GROUPS_ON_PRICE).map(([group]) => group),
    ...below.filter(([, [plot]]) => panes.includes(plot!.pane)).map(([group]) => group),
  ]);
}

/** The last value up to a bar; undefined before the first. */
function valueUntil({ bars, values }: Plot, bar: number): number | undefined {
  return bars[0] === undefined || bars[0] > bar ? undefined : values[barIndexAt(bars, bar)];
}

/** `signal` of `macd(12, 26, 9) signal`. */
function shortName({ name, group }: Plot): string {
  return name.startsWith(`${group} `) ? name.slice(group.length + 1) : name;
}

/** A gap of several bars is one in the line, too, unless it is the line's own rhythm. */
function toLine(
  { bars, values }: Plot,
  times: BarTimes,
): (Library.LineData<Library.UTCTimestamp> | Library.WhitespaceData<Library.UTCTimestamp>)[] {
  const rhythm = typicalStep(bars);
  return bars.flatMap((bar, at) => {
    const point = { time: toChartTime(times[bar]!), value: values[at]! };
    const before = bars[at - 1];
    const isGap = before !== undefined && bar - before > 2 * rhythm;
    return isGap ? [{ time: toChartTime(times[before + 1]!) }, point] : [point];
  });
}

function typicalStep(bars: readonly number[]): number {
  const steps = bars.slice(1).map((bar, at) => bar - bars[at]!);
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 1;
}
