// A symbol's candles: bars, the markers on them, and the lines of its trades.
import type * as Library from 'lightweight-charts';
import type { PageData } from '../toPageData.ts';
import { library, newChart, toChartTime } from './charts.ts';
import { candleTheme, cssColour, onTheme } from './theme.ts';

export type Trade = PageData['trades'][number];

/** Opening times of a symbol's bars, epoch milliseconds, ascending. */
export type BarTimes = readonly number[];

export interface CandleChart {
  chart: Library.IChartApi;
  series: Library.ISeriesApi<'Candlestick'>;
  markers: Library.ISeriesMarkersPluginApi<Library.Time>;
  lines: TradeLines;
}

export function candleChart(container: HTMLElement): CandleChart {
  const chart = newChart(container);
  const series = chart.addSeries(library().CandlestickSeries, candleTheme());
  const markers = library().createSeriesMarkers(series, [], { autoScale: false });
  const lines = createTradeLines();
  series.attachPrimitive(lines);
  onTheme(() => {
    series.applyOptions(candleTheme());
    lines.redraw();
  });
  return { chart, series, markers, lines };
}

export type Candle = Library.CandlestickData<Library.UTCTimestamp>;

export function toCandles(columns: PageData['symbols'][string]): Candle[] {
  return columns.time.map((ms, index) => ({
    time: toChartTime(ms),
    open: columns.open[index]!,
    high: columns.high[index]!,
    low: columns.low[index]!,
    close: columns.close[index]!,
  }));
}

/** Index of the bar that holds a time: the last one that opened at or before it. */
export function barIndexAt(times: BarTimes, ms: number): number {
  let [low, high]: [number, number] = [0, times.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (times[middle]! <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A point of the chart: a bar's index, and a price. */
interface Point {
  bar: number;
  price: number;
}

interface Segment {
  /** The trade's index in the data. */
  trade: number;
  from: Point;
  to: Point;
  pnl: number;
}

/** A trade that has ended. */
type ClosedTrade = Trade & { exit_time: number };

/** A canvas in media pixels. */
export interface Canvas {
  context: CanvasRenderingContext2D;
  mediaSize: { height: number; width: number };
}

/** Where bars and prices are on a canvas; null where they are nowhere. */
export type Place = (bar: number, price: number) => { x: number; y: number } | null;

export function placeOn({ chart, series }: Library.SeriesAttachedParameter): Place {
  const xOf = acrossBars(chart);
  return (bar, price) => {
    const x = xOf(bar);
    const y = series.priceToCoordinate(price);
    return x === null || y === null ? null : { x, y };
  };
}

/** Where a bar, or a part of one, is across; the library knows the middles of bars alone. */
export function acrossBars(
  chart: Library.SeriesAttachedParameter['chart'],
): (bar: number) => number | null {
  const timeScale = chart.timeScale();
  const { barSpacing } = timeScale.options();
  return (bar) => {
    const whole = Math.floor(bar);
    const x = timeScale.logicalToCoordinate(whole as Library.Logical);
    return x === null ? null : x + (bar - whole) * barSpacing;
  };
}

/** The bars in view, and a little beside them. */
export function barsInView({ chart }: Library.SeriesAttachedParameter): [number, number] | null {
  const range = chart.timeScale().getVisibleLogicalRange();
  return range === null ? null : [Math.floor(range.from) - 1, Math.ceil(range.to) + 1];
}

export function paneView(
  zOrder: Library.PrimitivePaneViewZOrder,
  draw: (canvas: Canvas) => void,
): Library.IPrimitivePaneView {
  const renderer: Library.IPrimitivePaneRenderer = {
    draw: (target) => target.useMediaCoordinateSpace(draw),
  };
  return { zOrder: () => zOrder, renderer: () => renderer };
}

/** Pixels from a line within which the pointer is on it. */
const NEAR_PIXELS = 5;

/** What the pointer is on. */
export const hitOf = (externalId: string): Library.PrimitiveHoveredItem => ({
  externalId,
  distance: 0,
  hitTestPriority: 1,
  cursorStyle: 'pointer',
  zOrder: 'top',
});

/** Whether a point is on the line between two others. */
export function isOnLine(
  at: { x: number; y: number },
  from: { x: number; y: number },
  to: { x: number; y: number },
): boolean {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : ((at.x - from.x) * dx + (at.y - from.y) * dy) / length;
  const along = Math.min(1, Math.max(0, share));
  return Math.hypot(from.x + along * dx - at.x, from.y + along * dy - at.y) <= NEAR_PIXELS;
}

/** Controls of the trade lines, beside the chart's own interface. */
interface TradeLines extends Library.ISeriesPrimitive {
  /** Trades with their indices in the data. */
  show: (trades: readonly (readonly [index: number, trade: Trade])[], times: BarTimes) => void;
  /** Epoch milliseconds; null for no trade. */
  choose: (span: { from: number; to: number } | null, times: BarTimes) => void;
  redraw: () => void;
}

/** Dashed lines from each trade's entry to its exit, green for a gain and red for a loss. */
function createTradeLines(): TradeLines {
  let attached: Library.SeriesAttachedParameter | null = null;
  let segments: Segment[] = [];
  let chosen: { from: number; to: number } | null = null;
  const inView = function* () {
    const view = attached && barsInView(attached);
    if (attached === null || view === null) return;
    const place = placeOn(attached);
    for (const segment of segments) {
      if (segment.to.bar < view[0] || segment.from.bar > view[1]) continue;
      const from = place(segment.from.bar, segment.from.price);
      const to = place(segment.to.bar, segment.to.price);
      if (from !== null && to !== null) yield { segment, from, to };
    }
  };
  const draw = ({ context }: Canvas): void => {
    context.lineWidth = 1.5;
    context.setLineDash([4, 3]);
    for (const { segment, from, to } of inView()) {
      context.strokeStyle = cssColour(segment.pnl > 0 ? '--gain' : '--loss');
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    }
  };
  /** A band over the selected trade's time, behind the candles, so that it stands out. */
  const drawChosen = ({ context, mediaSize }: Canvas): void => {
    if (chosen === null || attached === null) return;
    const place = placeOn(attached);
    const [from, to] = [place(chosen.from, 0), place(chosen.to, 0)];
    if (from === null || to === null) return;
    context.globalAlpha = 0.14;
    context.fillStyle = cssColour('--accent');
    context.fillRect(from.x - 2, 0, to.x - from.x + 4, mediaSize.height);
    context.globalAlpha = 1;
  };
  const views = [paneView('bottom', drawChosen), paneView('top', draw)];
  return {
    attached: (parameters) => {
      attached = parameters;
    },
    detached: () => {
      attached = null;
    },
    paneViews: () => views,
    hitTest(x, y) {
      for (const { segment, from, to } of inView()) {
        if (isOnLine({ x, y }, from, to)) return hitOf(`trade:${segment.trade}`);
      }
      return null;
    },
    show: (trades, times) => {
      segments = trades.flatMap(([index, trade]) =>
        trade.exit_time === null ? [] : [toSegment(index, trade as ClosedTrade, times)],
      );
      attached?.requestUpdate();
    },
    choose: (span, times) => {
      const end = (ms: number): number => barIndexAt(times, ms);
      chosen = span === null ? null : { from: end(span.from), to: end(span.to) };
      attached?.requestUpdate();
    },
    redraw: () => attached?.requestUpdate(),
  };
}

function toSegment(index: number, trade: ClosedTrade, times: BarTimes): Segment {
  const end = (ms: number, price: number): Point => ({ bar: barIndexAt(times, ms), price });
  return {
    trade: index,
    from: end(trade.entry_time, trade.entry_price),
    to: end(trade.exit_time, trade.exit_price!),
    pnl: trade.pnl,
  };
}
