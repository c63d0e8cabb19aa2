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
