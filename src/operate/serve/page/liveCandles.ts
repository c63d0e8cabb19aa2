// Candles of a symbol with fills, intents, and the levels of its open positions.
import type * as Library from 'lightweight-charts';
import { card } from '../../report/page/cards.ts';
import { library, newChart, toChartTime } from '../../report/page/charts.ts';
import { duration, el, isNone } from '../../report/page/format.ts';
import { tabBar, tabPanel } from '../../report/page/tabBar.ts';
import { candleTheme, cssColour, onTheme } from '../../report/page/theme.ts';
import type { CandlesView, PositionRow, WholeView } from '../../state/BotView.ts';
import { setAttribute, setHidden, setText } from './keyedTable.ts';
import type { PageAsks } from './PageAsks.ts';
import type { LiveCard } from './tableCards.ts';

type Marker = Library.SeriesMarker<Library.UTCTimestamp>;

const REFUSED: readonly string[] = ['denied', 'rejected'];

export function liveCandles(asks: PageAsks): LiveCard {
  const holder = el('div', {
    class: 'chart live-candles',
    id: 'candle-chart',
    role: 'img',
    'aria-label': 'Candles',
  });
  const legend = el('p', { class: 'value', id: 'candle-legend' });
  const panel = tabPanel('candles-panel', 'Candles');
  panel.append(legend, holder);
  const key =
    'Green arrows: buys · red arrows: sells · blue circles: intents · red squares: denied or rejected intents · lines: entry, stop and liquidation of open positions. A click on an intent explains it.';
  const element = card('Candles', [], panel, el('p', { class: 'sub' }, key));
  element.id = 'candles';
  let drawing: Drawing | undefined;
  let symbols = '';
  let symbol = '';
  let asked = '';
  let shownOf = '';
  let isReading = false;
  let view: WholeView | undefined;

  /** Another symbol's candles must not stand under this one's name. */
  function showNone(of: string): void {
    shownOf = '';
    holder.hidden = true;
    setText(legend, `No candles of ${of} are known.`);
  }

  async function read(): Promise<void> {
    if (isReading || view === undefined || symbol === '') return;
    const wanted = newsOf(view, symbol);
    if (wanted === asked) return;
    isReading = true;
    const of = symbol;
    const candles = await asks.readCandles(of);
    isReading = false;
    if (of !== symbol) return read();
    if (candles === undefined) {
      if (shownOf !== of) showNone(of);
      return;
    }
    shownOf = of;
    holder.hidden = false;
    asked = wanted;
    drawing ??= createDrawing(holder, asks);
    drawing.show(candles);
    drawing.levels(view.blocks.positions.filter((row) => row.symbol === of));
    setText(legend, legendOf(candles));
    setAttribute(holder, 'aria-label', `Candles of ${legendOf(candles)}`);
    // The view may have moved on meanwhile.
    if (newsOf(view, symbol) !== wanted) void read();
  }

  return {
    element,
    show(next) {
      view = next;
      setHidden(element, next.past?.unknown.includes('feeds') === true);
      const names = next.blocks.feeds.map((feed) => feed.symbol);
      if (names.join() !== symbols) {
        symbols = names.join();
        const tabs = names.map((name) => ({ name }));
        const bar = tabBar({ label: 'Symbol', tabs, panel: 'candles-panel' }, (name) => {
          symbol = name;
          asked = '';
          void read();
        });
        element.querySelector('.controls')!.replaceChildren(bar);
      }
      drawing?.levels(next.blocks.positions.filter((row) => row.symbol === symbol));
      void read();
    },
  };
}

/** What makes candles worth reading again: a bar, a fill, an intent. */
function newsOf({ blocks }: WholeView, symbol: string): string {
  const feed = blocks.feeds.find((row) => row.symbol === symbol);
  const strategies = blocks.strategies.filter((row) => row.symbols.includes(symbol));
  return [
    symbol,
    blocks.bot.wall_started,
    feed?.close_time,
    ...strategies.flatMap(({ fills, intent }) => [fills, intent?.key, intent?.state]),
  ].join();
}

function legendOf({ symbol, interval_ms, time, open, high, low, close }: CandlesView): string {
  const last = time.length - 1;
  if (last < 0) return `${symbol}: no bar yet`;
  const prices = `O ${open[last]}  H ${high[last]}  L ${low[last]}  C ${close[last]}`;
  return `${symbol} ${duration(interval_ms)}  ${prices}`;
}

interface Drawing {
  show(candles: CandlesView): void;
  levels(positions: readonly PositionRow[]): void;
}

function createDrawing(holder: HTMLElement, asks: PageAsks): Drawing {
  const chart = newChart(holder, false);
  const series = chart.addSeries(library().CandlestickSeries, candleTheme());
  const markers = library().createSeriesMarkers<Library.Time>(series, [], { autoScale: false });
  let lines: Library.IPriceLine[] = [];
  let shown: CandlesView | undefined;
  let positions: readonly PositionRow[] = [];
  let drawn = '';

  const drawLevels = (): void => {
    for (const line of lines) series.removePriceLine(line);
    lines = positions.flatMap(levelsOf).map((level) => series.createPriceLine(level));
  };
  onTheme(() => {
    series.applyOptions(candleTheme());
    if (shown !== undefined) markers.setMarkers(markersOf(shown));
    drawLevels();
  });
  chart.subscribeClick(({ hoveredObjectId: key }) => {
    if (typeof key === 'string' && key !== '') asks.onExplain(key);
  });
  return {
    show(candles) {
      const bars = toBars(candles);
      const before = shown;
      const lastTime = before?.time.at(-1);
      const from = candles.time.findIndex((time) => time === lastTime);
      if (before === undefined || before.symbol !== candles.symbol || from === -1) {
        series.setData(bars);
        // A reader sees bars, not the whole of the record as a line.
        const to = bars.length;
        chart.timeScale().setVisibleLogicalRange({ from: to - Math.min(to, 160), to: to + 4 });
      } else for (const bar of bars.slice(from)) series.update(bar);
      shown = candles;
      markers.setMarkers(markersOf(candles));
    },
    levels(next) {
      const text = JSON.stringify(
        next.flatMap((row) => [row.entry_price, row.stop_price, row.liquidation_price]),
      );
      if (text === drawn) return;
      drawn = text;
      positions = next;
      drawLevels();
    },
  };
}

const toBars = ({ time, open, high, low, close }: CandlesView) =>
  time.map((ms, at) => ({
    time: toChartTime(ms),
    open: open[at]!,
    high: high[at]!,
    low: low[at]!,
    close: close[at]!,
  }));

/** Each on the bar that holds its time; marks older than the first bar are left out. */
function markersOf({ time, fills, intents, interval_ms }: CandlesView): Marker[] {
  const first = time[0];
  if (first === undefined) return [];
  const barOf = (ms: number): Library.UTCTimestamp =>
    toChartTime(Math.min(time.at(-1)!, ms - (ms % interval_ms)));
  const [gain, loss, accent] = ['--gain', '--loss', '--accent'].map(cssColour) as [
    string,
    string,
    string,
  ];
  const bought = fills
    .filter((fill) => fill.time >= first)
    .map((fill): Marker => {
      const isBuy = fill.side === 'buy';
      return {
        time: barOf(fill.time),
        position: isBuy ? 'belowBar' : 'aboveBar',
        shape: isBuy ? 'arrowUp' : 'arrowDown',
        color: isBuy ? gain : loss,
      };
    });
  const asked = intents
    .filter((intent) => intent.time >= first)
    .map((intent): Marker => {
      const isRefused = REFUSED.includes(intent.state);
      return {
        time: barOf(intent.time),
        position: 'aboveBar',
        shape: isRefused ? 'square' : 'circle',
        color: isRefused ? loss : accent,
        size: 0.6,
        id: intent.key,
      };
    });
  return [...bought, ...asked].toSorted((a, b) => a.time - b.time);
}

function levelsOf(row: PositionRow): Library.CreatePriceLineOptions[] {
  const level = (
    title: string,
    price: number | null,
    [colour, lineStyle]: readonly [string, Library.LineStyle],
  ): Library.CreatePriceLineOptions[] =>
    isNone(price)
      ? []
      : [
          {
            title: `${row.wallet} ${title}`,
            price,
            color: cssColour(colour),
            lineStyle,
            lineWidth: 1,
          },
        ];
  const { Solid, Dashed, Dotted } = library().LineStyle;
  return [
    ...level(row.side, row.entry_price, ['--accent', Dashed]),
    ...level('stop', row.stop_price, ['--loss', Solid]),
    ...level('liquidation', row.liquidation_price, ['--loss', Dotted]),
  ];
}
