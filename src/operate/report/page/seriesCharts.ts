// Curves over time: equity with its drawdowns, rolling figures, exposure.
import type * as Library from 'lightweight-charts';
import type { PageCurve, PageData } from '../toPageData.ts';
import { newChart, toChartTime } from './charts.ts';
import { createBands, type Bands } from './drawdownBands.ts';
import { money, percent, ratio } from './format.ts';
import { cssColour, onTheme, strategyColour } from './theme.ts';

/** The library's own script, which the page runs before this one. */
declare const LightweightCharts: typeof Library;

type Line = Library.ISeriesApi<'Line'>;
type Points = Library.LineData<Library.UTCTimestamp>[];

/** How the curves of the equity are shown: P&L in money, in percent of the equity at the start, or equity on a log scale. */
export type CurveMode = 'money' | 'percent' | 'log';

/** A curve of the chart, and what draws it; the benchmark has no drawdown. */
export interface CurveSeries {
  name: string;
  pnl: readonly number[];
  /** Distance from the peak, quote units; empty for the benchmark. */
  falls: readonly number[];
  line: Line;
  drawdown: Library.ISeriesApi<'Area' | 'Line'> | null;
}

export interface EquityChart {
  chart: Library.IChartApi;
  rows: CurveSeries[];
  bands: Bands;
  show: (mode: CurveMode) => void;
  text: (mode: CurveMode, pnl: number) => string;
}

const pointsOf = (values: readonly number[], grid: PageData['grid']): Points =>
  values.map((value, step) => ({ time: toChartTime(grid.start + step * grid.stepMs), value }));

function plainChart(container: HTMLElement): Library.IChartApi {
  const chart = newChart(container);
  // The logo is on the candles' chart; here it would cover a curve.
  chart.applyOptions({ layout: { attributionLogo: false } });
  return chart;
}

export function equityChart(container: HTMLElement, data: PageData): EquityChart {
  const chart = plainChart(container);
  const { start_equity: capital } = data.totals;
  const rows = data.curves.map((curve) => curveSeries(chart, curve, data));
  const { benchmark } = data.report;
  if (benchmark !== null) {
    const line = chart.addSeries(LightweightCharts.LineSeries, benchmarkStyle(), 0);
    onTheme(() => line.applyOptions(benchmarkStyle()));
    rows.push({
      name: `${benchmark.name}, held`,
      pnl: benchmark.pnl,
      falls: [],
      line,
      drawdown: null,
    });
  }
  const bands = createBands(data);
  rows[0]!.line.attachPrimitive(bands);
  onTheme(() => bands.redraw());
  zeroLine(rows[0]!.line);
  const valueIn = (mode: CurveMode, pnl: number): number => {
    if (mode === 'money') return pnl;
    return mode === 'percent' ? (pnl / capital) * 100 : pnl + capital;
  };
  const text = (mode: CurveMode, pnl: number): string =>
    mode === 'percent' ? percent(pnl / capital, 2) : money(valueIn(mode, pnl));
  const formatIn = (mode: CurveMode) => (value: number) =>
    mode === 'percent' ? percent(value / 100, 1) : money(value);
  const show = (mode: CurveMode): void => {
    const { PriceScaleMode } = LightweightCharts;
    chart.priceScale('right', 0).applyOptions({
      mode: mode === 'log' ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal,
    });
    for (const { line, pnl, falls, drawdown } of rows) {
      line.applyOptions({
        priceFormat: { type: 'custom', formatter: formatIn(mode), minMove: 0.0001 },
      });
      const values = pnl.map((value) => valueIn(mode, value));
      line.setData(pointsOf(values, data.grid));
      const inMoney = mode === 'money' || capital <= 0;
      const formatter = inMoney ? money : (value: number) => percent(value, 1);
      drawdown?.applyOptions({ priceFormat: { type: 'custom', formatter, minMove: 0.0001 } });
      drawdown?.setData(pointsOf(inMoney ? falls : sharesOf(falls, pnl, capital), data.grid));
    }
  };
  show('money');
  chart.panes()[0]!.setStretchFactor(0.7);
  chart.panes()[1]!.setStretchFactor(0.3);
  chart.timeScale().fitContent();
  return { chart, rows, bands, show, text };
}

function curveSeries(chart: Library.IChartApi, curve: PageCurve, data: PageData): CurveSeries {
  const isTotal = curve.strategy === null;
  const style = (): Library.LineSeriesPartialOptions & { color: string } => ({
    color: strategyColour(data, curve.strategy),
    lineWidth: isTotal ? 2 : 1,
    priceLineVisible: false,
    lastValueVisible: isTotal,
    crosshairMarkerRadius: 3,
    priceFormat: { type: 'custom', formatter: money, minMove: 0.01 },
  });
  const line = chart.addSeries(LightweightCharts.LineSeries, style(), 0);
  const drawdown = addDrawdown(chart, isTotal, style());
  onTheme(() => {
    line.applyOptions({ color: style().color });
    drawdown.applyOptions(isTotal ? drawdownFill() : { color: style().color });
  });
  return { name: curve.strategy ?? 'total', pnl: curve.pnl, falls: curve.drawdown, line, drawdown };
}

/** Falls as shares of the equity at the peak so far. */
function sharesOf(falls: readonly number[], pnl: readonly number[], capital: number): number[] {
  let peak = 0;
  return falls.map((fall, step) => {
    peak = Math.max(peak, pnl[step] ?? 0);
    return fall / (capital + peak);
  });
}

function benchmarkStyle(): Library.LineSeriesPartialOptions {
  return {
    color: cssColour('--muted'),
    lineWidth: 1,
    lineStyle: LightweightCharts.LineStyle.Dashed,
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerRadius: 3,
  };
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

function zeroLine(series: Line): void {
  series.createPriceLine({
    price: 0,
    color: '#888888',
    lineWidth: 1,
    lineStyle: LightweightCharts.LineStyle.Dotted,
    axisLabelVisible: false,
  });
}

/** One figure over windows; null leaves a gap. */
export function rollingChart(
  container: HTMLElement,
  times: readonly number[],
): (values: readonly (number | null)[], format: (value: number) => string) => void {
  const chart = plainChart(container);
  const series = chart.addSeries(LightweightCharts.LineSeries, {
    color: cssColour('--accent'),
    lineWidth: 2,
    priceLineVisible: false,
  });
  onTheme(() => series.applyOptions({ color: cssColour('--accent') }));
  zeroLine(series);
  return (values, formatter) => {
    series.applyOptions({ priceFormat: { type: 'custom', formatter, minMove: 0.0001 } });
    series.setData(
      times.map((ms, index) => {
        const time = toChartTime(ms);
        const value = values[index] ?? null;
        return value === null ? { time } : { time, value };
      }),
    );
    chart.timeScale().fitContent();
  };
}

/** Gross and net exposure above, leverage below. */
export function exposureChart(
  container: HTMLElement,
  { grid, gross, net, leverage }: PageData['report']['exposure'],
): void {
  const chart = plainChart(container);
  const { BaselineSeries, LineSeries } = LightweightCharts;
  const shared = { lineWidth: 1, priceLineVisible: false } as const;
  const inMoney = { type: 'custom', formatter: money, minMove: 0.01 } as const;
  const fill = (): Library.BaselineSeriesPartialOptions => ({
    topLineColor: cssColour('--accent'),
    topFillColor1: cssColour('--accent-fill'),
    topFillColor2: cssColour('--accent-fill'),
  });
  const held = chart.addSeries(BaselineSeries, { ...shared, ...fill(), priceFormat: inMoney }, 0);
  const signed = chart.addSeries(
    LineSeries,
    { ...shared, color: cssColour('--text'), priceFormat: inMoney },
    0,
  );
  const share = chart.addSeries(
    LineSeries,
    {
      ...shared,
      color: cssColour('--accent'),
      priceFormat: {
        type: 'custom',
        formatter: (value: number) => `${ratio(value)} ×`,
        minMove: 0.001,
      },
    },
    1,
  );
  onTheme(() => {
    held.applyOptions(fill());
    signed.applyOptions({ color: cssColour('--text') });
    share.applyOptions({ color: cssColour('--accent') });
  });
  held.setData(pointsOf(gross, grid));
  signed.setData(pointsOf(net, grid));
  share.setData(
    leverage.map((value, step) => {
      const time = toChartTime(grid.start + step * grid.stepMs);
      return value === null ? { time } : { time, value };
    }),
  );
  chart.panes()[0]!.setStretchFactor(0.65);
  chart.panes()[1]!.setStretchFactor(0.35);
  chart.timeScale().fitContent();
}
