// What all charts share.
import type * as Library from 'lightweight-charts';
import { time } from './format.ts';
import { chartTheme, onTheme } from './theme.ts';

/** The library's own script, which the page runs before this one. */
declare const LightweightCharts: typeof Library;

export const library = (): typeof Library => LightweightCharts;

const SECOND = 1_000;
export const toChartTime = (ms: number): Library.UTCTimestamp =>
  Math.floor(ms / SECOND) as Library.UTCTimestamp;

/** @param attributionLogo the library's own, which needs an inline style; without it, a page names its authors */
export function newChart(container: HTMLElement, attributionLogo = true): Library.IChartApi {
  const { layout, ...theme } = chartTheme();
  const chart = LightweightCharts.createChart(container, {
    autoSize: true,
    ...theme,
    layout: { ...layout, attributionLogo },
    crosshair: { mode: LightweightCharts.CrosshairMode.Normal },
    localization: { timeFormatter: (seconds: number) => `${time(seconds * SECOND)} UTC` },
    timeScale: {
      ...theme.timeScale,
      timeVisible: true,
      minBarSpacing: 0.02,
      rightOffset: 4,
    },
  });
  onTheme(() => chart.applyOptions(chartTheme()));
  return chart;
}
