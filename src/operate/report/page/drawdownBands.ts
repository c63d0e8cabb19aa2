import type * as Library from 'lightweight-charts';
import type { PageData } from '../toPageData.ts';
import { toChartTime } from './charts.ts';
import { cssColour } from './theme.ts';

/** Bands over the worst drawdowns, numbered by their rank, behind the curves. */
export interface Bands extends Library.ISeriesPrimitive {
  show: (visible: boolean) => void;
  redraw: () => void;
}

/** Narrower bands would hide their numbers under one another. */
const ROOM_FOR_NUMBER = 14;

export function createBands({ report, grid, endTime }: PageData): Bands {
  let attached: Library.SeriesAttachedParameter | null = null;
  let visible = true;
  /** Times of the grid, which the chart knows. */
  const onGrid = (ms: number): Library.UTCTimestamp =>
    toChartTime(grid.start + Math.round((ms - grid.start) / grid.stepMs) * grid.stepMs);
  const spans = report.drawdowns.map(({ start, end }, at) => ({
    rank: at + 1,
    from: onGrid(start),
    to: onGrid(end ?? endTime),
  }));
  const draw = ({
    context,
    mediaSize,
  }: {
    context: CanvasRenderingContext2D;
    mediaSize: { height: number };
  }): void => {
    if (!visible || attached === null) return;
    const scale = attached.chart.timeScale();
    context.font = `11px ${cssColour('--font')}`;
    context.textAlign = 'center';
    for (const { rank, from, to } of spans) {
      const [left, right] = [scale.timeToCoordinate(from), scale.timeToCoordinate(to)];
      if (left === null || right === null) continue;
      context.fillStyle = cssColour('--loss-fill');
      context.globalAlpha = 0.45;
      context.fillRect(left, 0, Math.max(1, right - left), mediaSize.height);
      context.globalAlpha = 1;
      if (right - left < ROOM_FOR_NUMBER) continue;
      context.fillStyle = cssColour('--muted');
      context.fillText(String(rank), (left + right) / 2, 14);
    }
  };
  const renderer: Library.IPrimitivePaneRenderer = {
    draw: (target) => target.useMediaCoordinateSpace(draw),
  };
  const view: Library.IPrimitivePaneView = { zOrder: () => 'bottom', renderer: () => renderer };
  return {
    attached: (parameters) => {
      attached = parameters;
    },
    detached: () => {
      attached = null;
    },
    paneViews: () => [view],
    show: (next) => {
      visible = next;
      attached?.requestUpdate();
    },
    redraw: () => attached?.requestUpdate(),
  };
}
