// Assembles the page: heads, charts, tables, and the links between them.
import { decimalsOf, duration, el, gain, priceFormatter, size, time, whole } from './format.js';
import { onTheme, storedTheme, strategyColour, themeButton } from './theme.js';
import { barIndexAt, candleChart, equityChart, toCandles, toMarkers } from './charts.js';
import {
  activityColumns,
  dataTable,
  executionColumns,
  fillColumns,
  lifeColumns,
  reasonColumns,
  refusedColumns,
  resultColumns,
  tradeColumns,
} from './tables.js';
import { tiles } from './tiles.js';
import { card, toggle } from './cards.js';
import { budgetCard } from './budget.js';
import { algorithmsCard, monthsCard, rollingCard } from './performance.js';

const data = JSON.parse(document.getElementById('report-data').textContent);
const priceFormats = Object.fromEntries(
  Object.entries(data.symbols).map(([symbol, bars]) => [
    symbol,
    priceFormatter(decimalsOf(bars.close)),
  ]),
);
const priceOf = (symbol) => priceFormats[symbol] ?? size;
const report = document.getElementById('report');

/** Least number of bars of context around a trade; a long trade takes half the chart. */
const CONTEXT_BARS = 60;
const FIRST_VIEW_BARS = 360;

if (storedTheme() !== null) document.documentElement.dataset.theme = storedTheme();

// ── Head ─────────────────────────────────────────────────────────────────────────────

function header() {
  const span = `${time(data.startTime)} → ${time(data.endTime)} UTC`;
  const about = [data.generatedFrom, span, duration(data.endTime - data.startTime)].join(' · ');
  return el(
    'header',
    {},
    el('div', {}, el('h1', {}, data.title), el('p', { class: 'sub' }, about)),
    themeButton(),
  );
}

// ── P&L and drawdown ─────────────────────────────────────────────────────────────────────────────

function equityCard() {
  const holder = el('div', { class: 'chart', id: 'equity-chart', style: 'height:400px' });
  const legend = el('div', { class: 'controls' });
  const section = card('P&L and drawdown', [legend], holder);
  return { section, draw: () => drawEquity(holder, legend) };
}

function drawEquity(holder, legend) {
  const { chart, rows } = equityChart(holder, data);
  const values = rows.map(({ curve, pnl, drawdown }) => {
    const value = el('span', { class: 'value' });
    const dot = el('i', { class: 'dot' });
    const colour = () => dot.style.setProperty('background', strategyColour(data, curve.strategy));
    colour();
    onTheme(colour);
    const show = (visible) => [pnl, drawdown].forEach((series) => series.applyOptions({ visible }));
    legend.append(toggle([dot, curve.strategy ?? 'total', value], true, show));
    return { value, pnl, last: curve.pnl.at(-1) };
  });
  const showValues = (at) =>
    values.forEach(
      ({ value, pnl, last }) => (value.textContent = gain(at?.get(pnl)?.value ?? last)),
    );
  showValues();
  chart.subscribeCrosshairMove(({ seriesData }) => showValues(seriesData));
}

// ── Candles and trades ───────────────────────────────────────────────────────────────────────────

const symbols = Object.keys(data.symbols);
const view = { symbol: symbols[0], hidden: new Set(), lines: true, trade: null, chart: null };

function candleCard() {
  const parts = {
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

function drawCandles(parts) {
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
    showBar(seriesData.get(view.chart.series)),
  );
  onTheme(showTrades);
  showSymbol(view.symbol);
}

function showSymbol(symbol) {
  const bars = data.symbols[symbol];
  Object.assign(view, { symbol, candles: toCandles(bars) });
  for (const tab of view.parts.tabs.children) {
    tab.setAttribute('aria-selected', String(tab.dataset.symbol === symbol));
  }
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
function showFirstView() {
  const { time: times } = data.symbols[view.symbol];
  const first = tradesShown()[0];
  const from =
    first === undefined ? 0 : Math.max(0, barIndexAt(times, first.entry_time) - CONTEXT_BARS);
  view.chart.chart.timeScale().setVisibleLogicalRange({ from, to: from + FIRST_VIEW_BARS });
}

function showStrategyChips() {
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

const isShown = ({ symbol, strategy }) => symbol === view.symbol && !view.hidden.has(strategy);
const tradesShown = () => data.trades.filter(isShown);

function showTrades() {
  const { time: times } = data.symbols[view.symbol];
  const colourOf = (name) => strategyColour(data, name);
  view.chart.markers.setMarkers(toMarkers(data.fills.filter(isShown), times, colourOf));
  view.chart.lines.show(view.lines ? tradesShown() : [], times);
}

function showBar(bar = view.candles.at(-1)) {
  const format = priceOf(view.symbol);
  const { interval } = data.symbols[view.symbol];
  const prices =
    bar === undefined
      ? ''
      : `O ${format(bar.open)}  H ${format(bar.high)}  L ${format(bar.low)}  C ${format(bar.close)}`;
  view.parts.legend.textContent = `${view.symbol} ${interval}  ${prices}`;
}

function stepTrade(step) {
  const trades = tradesShown();
  if (trades.length === 0) return;
  const at = trades.indexOf(view.trade);
  const next = at === -1 && step < 0 ? trades.length - 1 : at + step;
  showTrade(trades[(next + trades.length) % trades.length]);
}

function showTrade(trade) {
  showSpan(trade.entry_time, trade.exit_time ?? data.endTime);
  choose(trade);
}

/** Marks the selected trade and shows its number. */
function choose(trade) {
  view.trade = trade;
  const { lines } = view.chart;
  view.parts.trade.textContent = trade === null ? '' : aboutTrade(trade);
  const span = trade && { from: trade.entry_time, to: trade.exit_time ?? data.endTime };
  lines.choose(span, data.symbols[view.symbol].time);
}

function aboutTrade(trade) {
  const all = tradesShown();
  const { strategy, side, entry_time: entry, exit_time: exit } = trade;
  const until = exit === null ? 'still open' : time(exit);
  const place = `trade ${whole(all.indexOf(trade) + 1)} of ${whole(all.length)}`;
  return `${place}  ${strategy} ${side}  ${time(entry)} → ${until}  ${gain(trade.pnl)}`;
}

function showSpan(from, to) {
  const { time: times } = data.symbols[view.symbol];
  const [first, last] = [barIndexAt(times, from), barIndexAt(times, to)];
  const around = Math.max(CONTEXT_BARS, (last - first) / 2);
  const timeScale = view.chart.chart.timeScale();
  timeScale.setVisibleLogicalRange({ from: first - around, to: last + around });
}

/** From a table's row to its place on the chart. */
function goTo(symbol, from, to = from) {
  if (data.symbols[symbol] === undefined) return;
  if (symbol !== view.symbol) showSymbol(symbol);
  choose(null);
  showSpan(from, to ?? data.endTime);
  scrollToChart();
}

function goToTrade(trade) {
  if (data.symbols[trade.symbol] === undefined) return;
  if (trade.symbol !== view.symbol) showSymbol(trade.symbol);
  showTrade(trade);
  scrollToChart();
}

function scrollToChart() {
  view.parts.holder.scrollIntoView({ behavior: 'smooth', block: 'center' });
}

// ── Tables ───────────────────────────────────────────────────────────────────────────────────────

function strategyCard() {
  const rows = [...data.strategies, { ...data.totals, name: 'total', isTotal: true }];
  const table = (caption, columns) => dataTable({ columns, rows, caption, empty: 'None.' });
  return card(
    'Strategies',
    [],
    table('What strategies earned', resultColumns(data)),
    table('What strategies did', activityColumns(data)),
  );
}

const TABLES = [
  {
    name: 'Trades',
    rows: data.trades,
    columns: tradeColumns(data, priceOf),
    empty: 'No position was opened.',
    go: goToTrade,
  },
  {
    name: 'Fills',
    rows: data.fills,
    columns: fillColumns(data, priceOf),
    empty: 'Nothing was filled.',
    go: (row) => goTo(row.symbol, row.time),
  },
  {
    name: 'Executions',
    rows: data.executions,
    columns: executionColumns(data, priceOf),
    empty: 'No algorithm was launched.',
    go: (row) => goTo(row.symbol, row.start_time, row.end_time),
  },
  {
    name: 'Not accepted',
    rows: data.refused,
    columns: refusedColumns(data),
    empty: 'Every intent was accepted.',
    go: (row) => goTo(row.symbol, row.time),
  },
];

function tableCard() {
  const body = el('div');
  const tabs = el('div', { class: 'tabs', role: 'tablist' });
  const strategy = select(
    'strategy',
    data.strategies.map(({ name }) => name),
    () => show(),
  );
  const symbol = select('symbol', symbols, () => show());
  let current = TABLES[0];
  const show = (table = current) => {
    current = table;
    const rows = table.rows.filter(
      (row) => strategy.accepts(row.strategy) && symbol.accepts(row.symbol),
    );
    const { columns, empty, name, go } = table;
    body.replaceChildren(dataTable({ columns, rows, empty, caption: name, onRow: go }));
    for (const tab of tabs.children)
      tab.setAttribute('aria-selected', String(tab.dataset.table === name));
  };
  for (const table of TABLES) {
    const label = `${table.name} ${whole(table.rows.length)}`;
    tabs.append(
      el(
        'button',
        { type: 'button', role: 'tab', 'data-table': table.name, click: () => show(table) },
        label,
      ),
    );
  }
  show();
  return card('Record', [tabs, strategy.element, symbol.element], body);
}

function select(name, values, onChange) {
  const options = values.map((value) => el('option', { value }, value));
  const element = el(
    'select',
    { 'aria-label': name, change: onChange },
    el('option', { value: '' }, `every ${name}`),
    ...options,
  );
  return { element, accepts: (value) => element.value === '' || element.value === value };
}

/** Why intents were not accepted, most frequent first; empty if all were. */
function reasonsCard() {
  if (data.reasons.length === 0) return null;
  const [columns, rows] = [reasonColumns(), data.reasons];
  const table = dataTable({ columns, rows, caption: 'Reasons', empty: 'None.' });
  return card('Why intents were not accepted', [], table);
}

/** Strategies that ended through their own fault, and their restarts; empty if none did. */
function livesCard() {
  if (data.lives.length === 0) return null;
  const table = dataTable({
    columns: lifeColumns(data),
    rows: data.lives,
    caption: 'Ends and restarts',
    empty: 'None.',
  });
  return card('Strategies that ended by their own fault', [], table);
}

function assumptions() {
  const items = data.assumptions.map((text) => el('li', {}, text));
  return card('Assumptions', [], el('ul', { class: 'assumptions' }, ...items));
}

function footer() {
  const charts = el(
    'a',
    { href: 'https://www.tradingview.com/', rel: 'noopener noreferrer', target: '_blank' },
    'TradingView Lightweight Charts™',
  );
  return el(
    'footer',
    {},
    el('span', {}, 'hash ', el('code', {}, data.hash)),
    el(
      'span',
      {},
      'Charts: ',
      charts,
      ', Copyright (c) 2026 TradingView, Inc., Apache License 2.0',
    ),
  );
}

const equity = equityCard();
const candles = candleCard();
const rolling = rollingCard(data);
report.append(
  header(),
  tiles(data),
  equity.section,
  candles.section,
  strategyCard(),
  rolling.section,
  monthsCard(data),
  ...[algorithmsCard(data), reasonsCard(), livesCard(), budgetCard(data)].filter(
    (section) => section !== null,
  ),
  tableCard(),
  assumptions(),
  footer(),
);
// Charts measure their containers, so these have to be on the page first.
equity.draw();
candles.draw();
rolling.draw();
document.documentElement.dataset.ready = 'true';
