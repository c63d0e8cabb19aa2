// Charts of curves: P&L over drawdown, and a rolling ratio.
import type * as Library from 'lightweight-charts';
import type { PageCurve, PageData } from '../toPageData.ts';
import { money, time } from './format.ts';
import { chartTheme, cssColour, onTheme, strategyColour } from './theme.ts';

/** The library's own script, which the page runs before this one. */
declare const LightweightCharts: typeof Library;

export const library = (): typeof Library => LightweightCharts;

const SECOND = 1_000;
export const toChartTime = (ms: number): Library.UTCTimestamp =>
  Math.floor(ms / SECOND) as Library.UTCTimestamp;

export function newChart(container: HTMLElement): Library.IChartApi {
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
