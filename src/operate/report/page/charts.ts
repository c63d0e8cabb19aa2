// The two charts: P&L over drawdown, and a symbol's candles with its trades.
import type * as Library from 'lightweight-charts';
import type { PageCurve, PageData } from '../toPageData.ts';
import { money, time } from './format.ts';
import { candleTheme, chartTheme, cssColour, onTheme, strategyColour } from './theme.ts';

/** The library's own script, which the page runs before this one. */
declare const LightweightCharts: typeof Library;

const SECOND = 1_000;
const toChartTime = (ms: number): Library.UTCTimestamp =>
  Math.floor(ms / SECOND) as Library.UTCTimestamp;

function newChart(container: HTMLElement): Library.IChartApi {
  const chart = LightweightCharts.createChart(container, {
    autoSize: true,
    ...chartTheme(),
    crosshair: { mode: LightweightCharts.CrosshairMode.Normal },
    localization: { timeFormatter: (seconds: number) => `${time(seconds * SECOND)} UTC` },
    timeScale: {
      ...chartTheme().timeScale,
      timeVisible: true,
      minBarSpacing: 0.02,
      rightOffset: 4,
    },
  });
  onTheme(() => chart.applyOptions(chartTheme()));
  return chart;
}

function toPoints(
  values: readonly number[],
  grid: PageData['grid'],
): Library.LineData<Library.UTCTimestamp>[] {
  return values.map((value, step) => ({
    time: toChartTime(grid.start + step * grid.stepMs),
    value,
  }));
}

// ── P&L and drawdown ─────────────────────────────────────────────────────────────────────────────

/** A curve of the chart, and what draws it. */
export interface CurveSeries {
  curve: PageCurve;
  pnl: Library.ISeriesApi<'Line'>;
  drawdown: Library.ISeriesApi<'Area' | 'Line'>;
}

export function equityChart(
  container: HTMLElement,
  data: PageData,
): { chart: Library.IChartApi; rows: CurveSeries[] } {
  const chart = newChart(container);
  // The logo is on the other chart; here it would cover the drawdown.
  chart.applyOptions({ layout: { attributionLogo: false } });
  const { LineSeries } = LightweightCharts;
  const rows = data.curves.map((curve): CurveSeries => {
    const isTotal = curve.strategy === null;
    const style = (): Library.LineSeriesPartialOptions & { color: string } => ({
      color: strategyColour(data, curve.strategy),
      lineWidth: isTotal ? 2 : 1,
      priceLineVisible: false,
      lastValueVisible: isTotal,
      crosshairMarkerRadius: 3,
      priceFormat: { type: 'custom', formatter: money, minMove: 0.01 },
    });
    const pnl = chart.addSeries(LineSeries, style(), 0);
    const drawdown = addDrawdown(chart, isTotal, style());
    pnl.setData(toPoints(curve.pnl, data.grid));
    drawdown.setData(toPoints(curve.drawdown, data.grid));
    onTheme(() => {
      pnl.applyOptions({ color: style().color });
      drawdown.applyOptions(isTotal ? drawdownFill() : { color: style().color });
    });
    return { curve, pnl, drawdown };
  });
  zeroLine(rows[0]!.pnl);
  chart.panes()[0]!.setStretchFactor(0.7);
  chart.panes()[1]!.setStretchFactor(0.3);
  chart.timeScale().fitContent();
  return { chart, rows };
}

function drawdownFill(): Library.AreaSeriesPartialOptions {
  return {
    lineColor: cssColour('--loss'),
    topColor: 'transparent',
    bottomColor: cssColour('--loss-fill'),
  };
}

function addDrawdown(
  chart: Library.IChartApi,
  isTotal: boolean,
  style: Library.LineSeriesPartialOptions,
): Library.ISeriesApi<'Area' | 'Line'> {
  const { AreaSeries, LineSeries } = LightweightCharts;
  if (!isTotal) return chart.addSeries(LineSeries, style, 1);
  return chart.addSeries(
    AreaSeries,
    { ...style, ...drawdownFill(), lineWidth: 1, invertFilledArea: true },
    1,
  );
}

function zeroLine(series: Library.ISeriesApi<'Line'>): void {
  series.createPriceLine({
    price: 0,
    color: '#888888',
    lineWidth: 1,
    lineStyle: LightweightCharts.LineStyle.Dotted,
    axisLabelVisible: false,
  });
}

export function rollingChart(container: HTMLElement, { times, values }: PageData['rolling']): void {
  const chart = newChart(container);
  chart.applyOptions({ layout: { attributionLogo: false } });
  const series = chart.addSeries(LightweightCharts.LineSeries, {
    color: cssColour('--accent'),
    lineWidth: 2,
    priceLineVisible: false,
  });
  onTheme(() => series.applyOptions({ color: cssColour('--accent') }));
  series.setData(
    times.map((ms, index) => {
      const time = toChartTime(ms);
      const value = values[index] ?? null;
      return value === null ? { time } : { time, value };
    }),
  );
  zeroLine(series);
  chart.timeScale().fitContent();
}

// ── Candles and trades ───────────────────────────────────────────────────────────────────────────

export type Trade = PageData['trades'][number];

/** Opening times of a symbol's bars, epoch milliseconds, ascending. */
type BarTimes = readonly number[];

export interface CandleChart {
  chart: Library.IChartApi;
  series: Library.ISeriesApi<'Candlestick'>;
  markers: Library.ISeriesMarkersPluginApi<Library.Time>;
  lines: TradeLines;
}

export function candleChart(container: HTMLElement): CandleChart {
  const chart = newChart(container);
  const series = chart.addSeries(LightweightCharts.CandlestickSeries, candleTheme());
  const markers = LightweightCharts.createSeriesMarkers(series, [], { autoScale: false });
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

/**
 * One marker per bar, strategy, side and role for any number of fills: an algorithm's slices would hide
 * the candles. Arrows open or enlarge a position, circles close or reduce it.
 */
export function toMarkers(
  fills: PageData['fills'],
  times: BarTimes,
  colourOf: (strategy: string) => string,
): Library.SeriesMarker<Library.UTCTimestamp>[] {
  const marks = new Map<string, Library.SeriesMarker<Library.UTCTimestamp>>();
  for (const fill of fills) {
    const at = times[barIndexAt(times, fill.time)]!;
    const role = fill.role === 'exit' ? 'exit' : 'entry';
    const key = `${at}|${fill.strategy}|${fill.side}|${role}`;
    if (marks.has(key)) continue;
    const isBuy = fill.side === 'buy';
    marks.set(key, {
      time: toChartTime(at),
      position: isBuy ? 'belowBar' : 'aboveBar',
      shape: role === 'exit' ? 'circle' : isBuy ? 'arrowUp' : 'arrowDown',
      color: colourOf(fill.strategy),
      size: role === 'exit' ? 1 : 1.4,
    });
  }
  return [...marks.values()].toSorted((a, b) => a.time - b.time);
}

/** A point of the chart: a bar's time, and a price. */
interface Point {
  time: Library.UTCTimestamp;
  price: number;
}

interface Segment {
  from: Point;
  to: Point;
  pnl: number;
}

/** A trade that has ended. */
type ClosedTrade = Trade & { exit_time: number };

/** Controls of the trade lines, beside the chart's own interface. */
interface TradeLines extends Library.ISeriesPrimitive {
  show: (trades: readonly Trade[], times: BarTimes) => void;
  /** Epoch milliseconds; null for no trade. */
  choose: (span: { from: number; to: number } | null, times: BarTimes) => void;
  redraw: () => void;
}

/** A canvas in media pixels. */
interface Canvas {
  context: CanvasRenderingContext2D;
  mediaSize: { height: number };
}

/** Dashed lines from each trade's entry to its exit, green for a gain and red for a loss. */
function createTradeLines(): TradeLines {
  let attached: Library.SeriesAttachedParameter | null = null;
  let segments: Segment[] = [];
  let chosen: { from: Point; to: Point } | null = null;
  const toPixels = (point: Point) => ({
    x: attached!.chart.timeScale().timeToCoordinate(point.time),
    y: attached!.series.priceToCoordinate(point.price),
  });
  const draw = ({ context }: Canvas): void => {
    const range = attached!.chart
      .timeScale()
      .getVisibleRange() as Library.IRange<Library.UTCTimestamp> | null;
    if (range === null) return;
    context.lineWidth = 1.5;
    context.setLineDash([4, 3]);
    for (const segment of segments) {
      if (segment.to.time < range.from || segment.from.time > range.to) continue;
      const [from, to] = [toPixels(segment.from), toPixels(segment.to)];
      if (from.x === null || from.y === null || to.x === null || to.y === null) continue;
      context.strokeStyle = cssColour(segment.pnl > 0 ? '--gain' : '--loss');
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    }
  };
  /** A band over the selected trade's time, behind the candles, so that it stands out. */
  const drawChosen = ({ context, mediaSize }: Canvas): void => {
    if (chosen === null) return;
    const [from, to] = [toPixels(chosen.from), toPixels(chosen.to)];
    if (from.x === null || to.x === null) return;
    context.globalAlpha = 0.14;
    context.fillStyle = cssColour('--accent');
    context.fillRect(from.x - 2, 0, to.x - from.x + 4, mediaSize.height);
    context.globalAlpha = 1;
  };
  const ground: Library.IPrimitivePaneRenderer = {
    draw: (target) => target.useMediaCoordinateSpace(drawChosen),
  };
  const band: Library.IPrimitivePaneView = { zOrder: () => 'bottom', renderer: () => ground };
  const renderer: Library.IPrimitivePaneRenderer = {
    draw: (target) => target.useMediaCoordinateSpace(draw),
  };
  const view: Library.IPrimitivePaneView = { zOrder: () => 'top', renderer: () => renderer };
  return {
    attached: (parameters) => {
      attached = parameters;
    },
    detached: () => {
      attached = null;
    },
    paneViews: () => [band, view],
    show: (trades, times) => {
      segments = trades
        .filter((trade): trade is ClosedTrade => trade.exit_time !== null)
        .map((trade) => toSegment(trade, times));
      attached?.requestUpdate();
    },
    choose: (span, times) => {
      const end = (ms: number): Point => ({ time: barTimeAt(times, ms), price: 0 });
      chosen = span === null ? null : { from: end(span.from), to: end(span.to) };
      attached?.requestUpdate();
    },
    redraw: () => attached?.requestUpdate(),
  };
}

function barTimeAt(times: BarTimes, ms: number): Library.UTCTimestamp {
  return toChartTime(times[barIndexAt(times, ms)]!);
}

function toSegment(trade: ClosedTrade, times: BarTimes): Segment {
  const end = (ms: number, price: number): Point => ({ time: barTimeAt(times, ms), price });
  return {
    from: end(trade.entry_time, trade.entry_price),
    to: end(trade.exit_time, trade.exit_price!),
    pnl: trade.pnl,
  };
}
