import type { MouseEventParams } from 'lightweight-charts';
import type { PageData } from '../toPageData.ts';
import { card, toggle, type ChartCard } from './cards.ts';
import {
  barIndexAt,
  candleChart,
  toCandles,
  type Candle,
  type CandleChart,
  type Trade,
} from './candleChart.ts';
import { createLayers, toBands, type CandleLayers } from './candleLayers.ts';
import { createMarks, type Mark, type Marks, type RecordPlace } from './candleMarks.ts';
import { createPlots, type CandlePlots } from './candlePlots.ts';
import { decimalsOf, el, gain, time, whole } from './format.ts';
import { createMarkPointer, type MarkPointer } from './markPointer.ts';
import { data, priceOf } from './pageData.ts';
import { selectTab } from './selectTab.ts';
import { onTheme, strategyColour } from './theme.ts';

/** Least number of bars of context around a trade; a long trade takes half the chart. */
const CONTEXT_BARS = 60;
const FIRST_VIEW_BARS = 360;

const symbols = Object.keys(data.symbols);
/** What is shown. Candles, chart and parts come with the first symbol, before anything else is shown. */
interface View {
  symbol: string;
  /** Strategies that the reader has switched off. */
  hidden: Set<string>;
  /** What is drawn beside bars and fills. */
  layers: Set<LayerName>;
  /** The selected one. */
  trade: Trade | null;
  candles: Candle[];
  chart: CandleChart;
  plots: CandlePlots;
  over: CandleLayers;
  marks: Marks;
  pointer: MarkPointer;
  parts: CandleParts;
}

/** What the reader may switch off. */
const LAYERS = ['entry to exit', 'levels', 'executions', 'not accepted'] as const;
type LayerName = (typeof LAYERS)[number];

interface CandleParts {
  holder: HTMLElement;
  legend: HTMLElement;
  trade: HTMLElement;
  strategies: HTMLElement;
  plots: HTMLElement;
  tabs: HTMLElement;
}

const view = {
  symbol: symbols[0],
  hidden: new Set<string>(),
  layers: new Set<LayerName>(LAYERS),
  trade: null,
} as Partial<View> as View;

const barsShown = (): PageData['symbols'][string] => data.symbols[view.symbol]!;

/** The candles of one symbol with its trades: tabs, strategies and steps choose what is shown. */
export function candleCard(): ChartCard {
  const parts: CandleParts = {
    holder: el('div', { class: 'chart', id: 'candle-chart', style: 'height:480px' }),
    legend: el('span', { class: 'value', id: 'candle-legend' }),
    trade: el('span', { class: 'value', id: 'trade-legend' }),
    strategies: el('div', { class: 'controls', id: 'candle-strategies' }),
    plots: el('div', { class: 'controls', id: 'candle-plots' }),
    tabs: el('div', { class: 'tabs', role: 'tablist', id: 'symbols' }),
  };
  const go = el(
    'div',
    { class: 'controls' },
    ...LAYERS.filter(hasLayer).map((layer) =>
      toggle(layer, true, (pressed) => {
        if (pressed) view.layers.add(layer);
        else view.layers.delete(layer);
        showTrades();
      }),
    ),
    el('button', { type: 'button', class: 'ghost', click: () => stepTrade(-1) }, '‹ trade'),
    el('button', { type: 'button', class: 'ghost', click: () => stepTrade(1) }, 'trade ›'),
    el('button', { type: 'button', class: 'ghost', click: () => view.pointer.step(-1) }, '‹ mark'),
    el('button', { type: 'button', class: 'ghost', click: () => view.pointer.step(1) }, 'mark ›'),
    el(
      'button',
      {
        type: 'button',
        class: 'ghost',
        id: 'whole-run',
        click: () => view.chart.chart.timeScale().fitContent(),
      },
      'whole run',
    ),
  );
  const under = el('div', { class: 'under' }, parts.strategies, parts.trade, parts.legend);
  const body = [under, parts.plots, parts.holder, markKey()];
  const section = card('Trades on the candles', [parts.tabs, go], ...body);
  return { section, draw: () => drawCandles(parts) };
}

/** Whether the run has anything for a layer. */
function hasLayer(layer: LayerName): boolean {
  if (layer === 'levels') return Object.values(data.charts).some(({ levels }) => levels.length > 0);
  if (layer === 'executions') return data.executions.length > 0;
  return layer === 'entry to exit' || data.refused.length > 0;
}

/** What the marks mean. */
function markKey(): HTMLElement {
  const keys = [
    ['▲▼', 'opens or adds'],
    ['●', 'closes'],
    ['■', 'not accepted'],
    ['┄', 'entry to exit'],
    ['━', 'stop, target'],
    ['┉', 'trailing'],
    ['▬', 'execution, its filled part darker'],
  ] as const;
  const items = keys.map(([sign, text]) =>
    el('span', {}, el('i', { 'aria-hidden': 'true' }, sign), ` ${text}`),
  );
  return el('p', { class: 'mark-key' }, ...items);
}

function drawCandles(parts: CandleParts): void {
  if (symbols.length === 0) return;
  view.chart = candleChart(parts.holder);
  view.parts = parts;
  view.plots = createPlots(view.chart, { holder: parts.holder, chips: parts.plots });
  view.over = createLayers();
  view.chart.series.attachPrimitive(view.over);
  view.pointer = createMarkPointer({
    holder: parts.holder,
    chart: view.chart,
    marks: () => view.marks,
    priceOf: (bar) => barsShown().high[bar],
    onOpen: openMark,
  });
  parts.tabs.append(
    ...symbols.map((symbol) =>
      el(
        'button',
        { type: 'button', role: 'tab', 'data-symbol': symbol, click: () => showSymbol(symbol) },
        symbol,
      ),
    ),
  );
  view.chart.chart.subscribeCrosshairMove(({ seriesData }) => showFigures(seriesData));
  view.chart.chart.timeScale().subscribeVisibleLogicalRangeChange(() => showFigures());
  onTheme(showTrades);
  showSymbol(view.symbol);
}

function showSymbol(symbol: string): void {
  const bars = data.symbols[symbol]!;
  Object.assign(view, { symbol, candles: toCandles(bars) });
  selectTab(view.parts.tabs, (tab) => tab.dataset.symbol === symbol);
  const decimals = decimalsOf(bars.close);
  view.chart.series.applyOptions({
    priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals },
  });
  view.chart.series.setData(view.candles);
  view.plots.show(data.charts[symbol]?.plots ?? [], bars.time, priceOf(symbol));
  view.pointer.forget();
  showStrategyChips();
  showTrades();
  choose(null);
  showFirstView();
  showFigures();
}

/** From a little before the first trade: the whole run at once would show no single candle. */
function showFirstView(): void {
  const { time: times } = barsShown();
  const first = tradesShown()[0];
  const from =
    first === undefined ? 0 : Math.max(0, barIndexAt(times, first.entry_time) - CONTEXT_BARS);
  view.chart.chart.timeScale().setVisibleLogicalRange({ from, to: from + FIRST_VIEW_BARS });
}

function showStrategyChips(): void {
  const names = data.strategies
    .filter(({ symbols: own }) => own.includes(view.symbol))
    .map(({ name }) => name);
  view.parts.strategies.replaceChildren(
    ...names.map((name) => {
      const dot = el('i', { class: 'dot', style: `background:${strategyColour(data, name)}` });
      return toggle([dot, name], !view.hidden.has(name), (shown) => {
        if (shown) view.hidden.delete(name);
        else view.hidden.add(name);
        showTrades();
      });
    }),
  );
}

const isShown = ({ symbol, strategy }: { symbol: string; strategy: string }): boolean =>
  symbol === view.symbol && !view.hidden.has(strategy);
const tradesShown = (): Trade[] => data.trades.filter(isShown);

/** With their indices in the data, by which the chart names them. */
const indexed = <Row>(rows: readonly Row[], isIn: (row: Row) => boolean): [number, Row][] =>
  rows.flatMap((row, index) => (isIn(row) ? [[index, row] as [number, Row]] : []));

function showTrades(): void {
  const bars = barsShown();
  const { time: times } = bars;
  const colourOf = (name: string): string => strategyColour(data, name);
  const has = (layer: LayerName): boolean => view.layers.has(layer);
  const trades = indexed(data.trades, isShown);
  const executions = has('executions') ? indexed(data.executions, isShown) : [];
  const all = data.charts[view.symbol]?.levels ?? [];
  const levels = has('levels') ? indexed(all, ({ strategy }) => !view.hidden.has(strategy)) : [];
  view.marks = createMarks({
    fills: data.fills.filter(isShown),
    refused: has('not accepted') ? data.refused.filter(isShown) : [],
    trades,
    executions,
    levels,
    times,
    colourOf,
    price: priceOf(view.symbol),
  });
  view.chart.markers.setMarkers(view.marks.markers);
  view.chart.lines.show(has('entry to exit') ? trades : [], times);
  const barOf = (ms: number): number => barIndexAt(times, ms);
  const bands = toBands(executions, barOf, { end: data.endTime, colourOf });
  view.over.show({ levels, bands, bars });
}

/** The figures of the bar at the pointer; without one, of the last in view. */
function showFigures(seriesData?: MouseEventParams['seriesData']): void {
  const range = view.chart.chart.timeScale().getVisibleLogicalRange();
  const end = view.candles.length - 1;
  const last = range === null ? end : Math.max(0, Math.min(end, Math.ceil(range.to)));
  const pointed = seriesData?.get(view.chart.series) as Candle | undefined;
  showBar(pointed ?? view.candles[last]);
  view.plots.showValues(last, seriesData);
}

function showBar(bar: Candle | undefined): void {
  const format = priceOf(view.symbol);
  const { interval } = barsShown();
  const prices =
    bar === undefined
      ? ''
      : `${time(bar.time * 1_000)}  O\u00a0${format(bar.open)}  H\u00a0${format(bar.high)}  L\u00a0${format(bar.low)}  C\u00a0${format(bar.close)}`;
  view.parts.legend.textContent = `${view.symbol} ${interval}  ${prices}`;
}

function stepTrade(step: number): void {
  const trades = tradesShown();
  if (trades.length === 0) return;
  const at = view.trade === null ? -1 : trades.indexOf(view.trade);
  const next = at === -1 && step < 0 ? trades.length - 1 : at + step;
  showTrade(trades[(next + trades.length) % trades.length]!);
}

function showTrade(trade: Trade): void {
  showSpan(trade.entry_time, trade.exit_time ?? data.endTime);
  choose(trade);
}

/** Marks the selected trade and shows its number. */
function choose(trade: Trade | null): void {
  view.trade = trade;
  const { lines } = view.chart;
  view.parts.trade.textContent = trade === null ? '' : aboutTrade(trade);
  const span = trade && { from: trade.entry_time, to: trade.exit_time ?? data.endTime };
  lines.choose(span, barsShown().time);
}

function aboutTrade(trade: Trade): string {
  const all = tradesShown();
  const { strategy, side, entry_time: entry, exit_time: exit } = trade;
  const until = exit === null ? 'still open' : time(exit);
  const place = `trade ${whole(all.indexOf(trade) + 1)} of ${whole(all.length)}`;
  return `${place}  ${strategy} ${side}  ${time(entry)} → ${until}  ${gain(trade.pnl)}`;
}

function showSpan(from: number, to: number): void {
  const { time: times } = barsShown();
  const [first, last] = [barIndexAt(times, from), barIndexAt(times, to)] as const;
  const around = Math.max(CONTEXT_BARS, (last - first) / 2);
  const timeScale = view.chart.chart.timeScale();
  timeScale.setVisibleLogicalRange({ from: first - around, to: last + around });
}

let listener: (place: RecordPlace) => void = () => {};

/** Receives the row of a mark that the reader opens. */
export function onMark(next: typeof listener): void {
  listener = next;
}

function openMark({ place }: Mark): void {
  if (place === null) return;
  if (place.table === 'Trades') choose(place.row);
  listener(place);
}

/** From a table's row to its place on the chart. */
export function goTo(symbol: string, from: number, to: number | null = from): void {
  if (data.symbols[symbol] === undefined) return;
  if (symbol !== view.symbol) showSymbol(symbol);
  choose(null);
  showSpan(from, to ?? data.endTime);
  scrollToChart();
}

/** From a row of a trade to the trade on the chart. */
export function goToTrade(trade: Trade): void {
  if (data.symbols[trade.symbol] === undefined) return;
  if (trade.symbol !== view.symbol) showSymbol(trade.symbol);
  showTrade(trade);
  scrollToChart();
}

function scrollToChart(): void {
  view.parts.holder.scrollIntoView({ behavior: 'smooth', block: 'center' });
}
