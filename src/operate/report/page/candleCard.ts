import type { PageData } from '../toPageData.ts';
import { card, toggle, type ChartCard } from './cards.ts';
import {
  barIndexAt,
  candleChart,
  toCandles,
  toMarkers,
  type Candle,
  type CandleChart,
  type Trade,
} from './charts.ts';
import { decimalsOf, el, gain, time, whole } from './format.ts';
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
  /** Whether lines lead from entries to exits. */
  lines: boolean;
  /** The selected one. */
  trade: Trade | null;
  candles: Candle[];
  chart: CandleChart;
  parts: CandleParts;
}

interface CandleParts {
  holder: HTMLElement;
  legend: HTMLElement;
  trade: HTMLElement;
  strategies: HTMLElement;
  tabs: HTMLElement;
}

const view = {
  symbol: symbols[0],
  hidden: new Set<string>(),
  lines: true,
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
    tabs: el('div', { class: 'tabs', role: 'tablist', id: 'symbols' }),
  };
  const go = el(
    'div',
    { class: 'controls' },
    toggle('entry to exit', true, (lines) => {
      view.lines = lines;
      showTrades();
    }),
    el('button', { type: 'button', class: 'ghost', click: () => stepTrade(-1) }, '‹ trade'),
    el('button', { type: 'button', class: 'ghost', click: () => stepTrade(1) }, 'trade ›'),
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
  const section = card('Trades on the candles', [parts.tabs, go], under, parts.holder);
  return { section, draw: () => drawCandles(parts) };
}

function drawCandles(parts: CandleParts): void {
  if (symbols.length === 0) return;
  view.chart = candleChart(parts.holder);
  view.parts = parts;
  parts.tabs.append(
    ...symbols.map((symbol) =>
      el(
        'button',
        { type: 'button', role: 'tab', 'data-symbol': symbol, click: () => showSymbol(symbol) },
        symbol,
      ),
    ),
  );
  view.chart.chart.subscribeCrosshairMove(({ seriesData }) =>
    showBar(seriesData.get(view.chart.series) as Candle | undefined),
  );
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
  showStrategyChips();
  showTrades();
  choose(null);
  showBar();
  showFirstView();
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

function showTrades(): void {
  const { time: times } = barsShown();
  const colourOf = (name: string): string => strategyColour(data, name);
  view.chart.markers.setMarkers(toMarkers(data.fills.filter(isShown), times, colourOf));
  view.chart.lines.show(view.lines ? tradesShown() : [], times);
}

function showBar(bar: Candle | undefined = view.candles.at(-1)): void {
  const format = priceOf(view.symbol);
  const { interval } = barsShown();
  const prices =
    bar === undefined
      ? ''
      : `O ${format(bar.open)}  H ${format(bar.high)}  L ${format(bar.low)}  C ${format(bar.close)}`;
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
