// The two charts: P&L over drawdown, and a symbol's candles with its trades.
import { money, time } from './format.js';
import { candleTheme, chartTheme, cssColour, onTheme, strategyColour } from './theme.js';

const SECOND = 1_000;
const toChartTime = (ms) => Math.floor(ms / SECOND);

function newChart(container) {
  const chart = LightweightCharts.createChart(container, {
    autoSize: true,
    ...chartTheme(),
    crosshair: { mode: LightweightCharts.CrosshairMode.Normal },
    localization: { timeFormatter: (seconds) => `${time(seconds * SECOND)} UTC` },
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

function toPoints(values, grid) {
  return values.map((value, step) => ({
    time: toChartTime(grid.start + step * grid.stepMs),
    value,
  }));
}

// ── P&L and drawdown ─────────────────────────────────────────────────────────────────────────────

export function equityChart(container, data) {
  const chart = newChart(container);
  // The logo is on the other chart; here it would cover the drawdown.
  chart.applyOptions({ layout: { attributionLogo: false } });
  const { LineSeries } = LightweightCharts;
  const rows = data.curves.map((curve) => {
    const isTotal = curve.strategy === null;
    const style = () => ({
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
  zeroLine(rows[0].pnl);
  chart.panes()[0].setStretchFactor(0.7);
  chart.panes()[1].setStretchFactor(0.3);
  chart.timeScale().fitContent();
  return { chart, rows };
}

function drawdownFill() {
  return {
    lineColor: cssColour('--loss'),
    topColor: 'transparent',
    bottomColor: cssColour('--loss-fill'),
  };
}

function addDrawdown(chart, isTotal, style) {
  const { AreaSeries, LineSeries } = LightweightCharts;
  if (!isTotal) return chart.addSeries(LineSeries, style, 1);
  return chart.addSeries(
    AreaSeries,
    { ...style, ...drawdownFill(), lineWidth: 1, invertFilledArea: true },
    1,
  );
}

function zeroLine(series) {
  series.createPriceLine({
    price: 0,
    color: '#888888',
    lineWidth: 1,
    lineStyle: LightweightCharts.LineStyle.Dotted,
    axisLabelVisible: false,
  });
}

export function rollingChart(container, { times, values }) {
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
      return values[index] === null ? { time } : { time, value: values[index] };
    }),
  );
  zeroLine(series);
  chart.timeScale().fitContent();
}

// ── Candles and trades ───────────────────────────────────────────────────────────────────────────

export function candleChart(container) {
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

export function toCandles(columns) {
  return columns.time.map((ms, index) => ({
    time: toChartTime(ms),
    open: columns.open[index],
    high: columns.high[index],
    low: columns.low[index],
    close: columns.close[index],
  }));
}

/** Index of the bar that holds a time: the last one that opened at or before it. */
export function barIndexAt(times, ms) {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (times[middle] <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * One marker per bar, strategy, side and role for any number of fills: an algorithm's slices would hide
 * the candles. Arrows open or enlarge a position, circles close or reduce it.
 */
export function toMarkers(fills, times, colourOf) {
  const marks = new Map();
  for (const fill of fills) {
    const at = times[barIndexAt(times, fill.time)];
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

/** Dashed lines from each trade's entry to its exit, green for a gain and red for a loss. */
function createTradeLines() {
  let attached = null;
  let segments = [];
  let chosen = null;
  const toPixels = (point) => ({
    x: attached.chart.timeScale().timeToCoordinate(point.time),
    y: attached.series.priceToCoordinate(point.price),
  });
  const draw = ({ context }) => {
    const range = attached.chart.timeScale().getVisibleRange();
    if (range === null) return;
    context.lineWidth = 1.5;
    context.setLineDash([4, 3]);
    for (const segment of segments) {
      if (segment.to.time < range.from || segment.from.time > range.to) continue;
      const [from, to] = [toPixels(segment.from), toPixels(segment.to)];
      if ([from.x, from.y, to.x, to.y].includes(null)) continue;
      context.strokeStyle = cssColour(segment.pnl > 0 ? '--gain' : '--loss');
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    }
  };
  /** A band over the selected trade's time, behind the candles, so that it stands out. */
  const drawChosen = ({ context, mediaSize }) => {
    if (chosen === null) return;
    const [from, to] = [toPixels(chosen.from), toPixels(chosen.to)];
    if (from.x === null || to.x === null) return;
    context.globalAlpha = 0.14;
    context.fillStyle = cssColour('--accent');
    context.fillRect(from.x - 2, 0, to.x - from.x + 4, mediaSize.height);
    context.globalAlpha = 1;
  };
  const ground = { draw: (target) => target.useMediaCoordinateSpace(drawChosen) };
  const band = { zOrder: () => 'bottom', renderer: () => ground };
  const renderer = { draw: (target) => target.useMediaCoordinateSpace(draw) };
  const view = { zOrder: () => 'top', renderer: () => renderer };
  return {
    attached: (parameters) => (attached = parameters),
    detached: () => (attached = null),
    paneViews: () => [band, view],
    show: (trades, times) => {
      segments = trades
        .filter((trade) => trade.exit_time !== null)
        .map((trade) => toSegment(trade, times));
      attached?.requestUpdate();
    },
    choose: (span, times) => {
      const end = (ms) => ({ time: toChartTime(times[barIndexAt(times, ms)]), price: 0 });
      chosen = span === null ? null : { from: end(span.from), to: end(span.to) };
      attached?.requestUpdate();
    },
    redraw: () => attached?.requestUpdate(),
  };
}

function toSegment(trade, times) {
  const end = (ms, price) => ({ time: toChartTime(times[barIndexAt(times, ms)]), price });
  return {
    from: end(trade.entry_time, trade.entry_price),
    to: end(trade.exit_time, trade.exit_price),
    pnl: trade.pnl,
  };
}
