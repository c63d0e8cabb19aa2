// Levels of legs and tracked entries as steps over the candles, and executions as bands behind them.
import type * as Library from 'lightweight-charts';
import type { PageData } from '../toPageData.ts';
import {
  acrossBars,
  barsInView,
  hitOf,
  isOnLine,
  paneView,
  placeOn,
  type Canvas,
} from './candleChart.ts';
import { percent } from './format.ts';
import { cssColour } from './theme.ts';

export type Level = PageData['charts'][string]['levels'][number];
export type Execution = PageData['executions'][number];

/** An execution on the chart's bars, in a row of its own where several run at once. */
export interface Band {
  /** Index in the data. */
  index: number;
  execution: Execution;
  from: number;
  to: number;
  colour: string;
  row: number;
}

interface Shown {
  levels: readonly (readonly [index: number, level: Level])[];
  bands: readonly Band[];
  bars: { high: readonly number[]; low: readonly number[] };
}

/** What is drawn over and behind the candles. */
export interface CandleLayers extends Library.ISeriesPrimitive {
  show: (shown: Shown) => void;
  redraw: () => void;
}

const BAND_PIXELS = 15;
const MOST_ROWS = 4;
const LABEL_PIXELS = 56;
/** A level farther from the candles than they are high would press them flat. */
const FARTHEST = 1;

const LOOKS: Readonly<Record<Level['kind'], { colour: string; dash: number[] }>> = {
  stop: { colour: '--loss', dash: [] },
  'trailing stop': { colour: '--loss', dash: [2, 2] },
  target: { colour: '--gain', dash: [] },
  'trailing target': { colour: '--gain', dash: [2, 2] },
  entry: { colour: '--accent', dash: [6, 3] },
};

/** Puts what runs at once into rows; a row is free again after its last band. */
export function toBands(
  executions: readonly (readonly [index: number, execution: Execution])[],
  barOf: (ms: number) => number,
  look: { end: number; colourOf: (strategy: string) => string },
): Band[] {
  const ends: number[] = [];
  return executions.map(([index, execution]) => {
    const from = barOf(execution.start_time);
    const to = Math.max(from, barOf(execution.end_time ?? look.end));
    const free = ends.findIndex((end) => end < from);
    const row = free === -1 ? ends.length : free;
    ends[row] = to;
    return { index, execution, from, to, colour: look.colourOf(execution.strategy), row };
  });
}

export function createLayers(): CandleLayers {
  let attached: Library.SeriesAttachedParameter | null = null;
  let shown: Shown = { levels: [], bands: [], bars: { high: [], low: [] } };

  /** Corners of a level's steps in pixels. */
  function corners(level: Level, view: [number, number]): { x: number; y: number }[] {
    const place = placeOn(attached!);
    const last = level.until ?? shown.bars.high.length - 1;
    if (last < view[0] || level.bars[0]! > view[1]) return [];
    return level.prices.flatMap((price, at) => {
      const until = level.bars[at + 1] ?? last;
      const [from, to] = [
        place(level.bars[at]! - 0.5, price),
        place(until + (level.bars[at + 1] === undefined ? 0.5 : -0.5), price),
      ];
      return from === null || to === null ? [] : [from, to];
    });
  }

  /** The strip of a band in pixels; null where it is not in view. */
  function strip({ from, to, row }: Band, view: [number, number]) {
    if (to < view[0] || from > view[1] || row >= MOST_ROWS) return null;
    const xOf = acrossBars(attached!.chart);
    const [left, right] = [xOf(from - 0.5), xOf(to + 0.5)];
    if (left === null || right === null) return null;
    return { left, width: Math.max(3, right - left), top: 3 + row * (BAND_PIXELS + 2) };
  }

  const drawLevels = ({ context }: Canvas): void => {
    const view = attached && barsInView(attached);
    if (!view) return;
    context.lineWidth = 1.25;
    for (const [, level] of shown.levels) {
      const points = corners(level, view);
      if (points.length === 0) continue;
      const { colour, dash } = LOOKS[level.kind];
      context.strokeStyle = cssColour(colour);
      context.setLineDash(dash);
      context.beginPath();
      points.forEach(({ x, y }, at) => (at === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      context.stroke();
    }
  };

  const drawShades = ({ context, mediaSize }: Canvas): void => {
    const view = attached && barsInView(attached);
    if (!view) return;
    for (const band of shown.bands) {
      const place = strip(band, view);
      if (place === null) continue;
      context.globalAlpha = 0.07;
      context.fillStyle = band.colour;
      context.fillRect(place.left, 0, place.width, mediaSize.height);
    }
    context.globalAlpha = 1;
  };

  /** The darker part of a strip is the share that was filled. */
  const drawStrips = ({ context, mediaSize }: Canvas): void => {
    const view = attached && barsInView(attached);
    if (!view) return;
    context.font = `10px ${cssColour('--font')}`;
    context.textBaseline = 'middle';
    for (const band of shown.bands) {
      const place = strip(band, view);
      if (place === null) continue;
      const filled = filledShare(band.execution);
      context.fillStyle = band.colour;
      context.globalAlpha = 0.22;
      context.fillRect(place.left, place.top, place.width, BAND_PIXELS);
      context.globalAlpha = 0.42;
      context.fillRect(place.left, place.top, place.width * filled, BAND_PIXELS);
      context.globalAlpha = 1;
      label(context, place, mediaSize.width, aboutBand(band.execution));
    }
  };

  function label(
    context: CanvasRenderingContext2D,
    { left, width, top }: { left: number; width: number; top: number },
    right: number,
    text: string,
  ): void {
    const from = Math.max(0, left);
    const room = Math.min(right, left + width) - from;
    if (room < LABEL_PIXELS || context.measureText(text).width > room - 6) return;
    context.fillStyle = cssColour('--text');
    context.fillText(text, from + 4, top + BAND_PIXELS / 2 + 1);
  }

  const views = [
    paneView('bottom', drawShades),
    paneView('top', drawLevels),
    paneView('top', drawStrips),
  ];
  return {
    attached: (parameters) => {
      attached = parameters;
    },
    detached: () => {
      attached = null;
    },
    paneViews: () => views,
    hitTest(x, y) {
      const view = attached && barsInView(attached);
      if (!view) return null;
      for (const band of shown.bands) {
        const at = strip(band, view);
        const isIn = at !== null && x >= at.left && x <= at.left + at.width;
        if (isIn && y >= at.top && y <= at.top + BAND_PIXELS)
          return hitOf(`execution:${band.index}`);
      }
      for (const [index, level] of shown.levels) {
        const points = corners(level, view);
        const isOn = points.some(
          (point, at) => at > 0 && isOnLine({ x, y }, points[at - 1]!, point),
        );
        if (isOn) return hitOf(`level:${index}`);
      }
      return null;
    },
    autoscaleInfo: (from, to) => rangeOfLevels(shown, Math.max(0, Math.floor(from)), Math.ceil(to)),
    show: (next) => {
      shown = next;
      attached?.requestUpdate();
    },
    redraw: () => attached?.requestUpdate(),
  };
}

/** So that near levels are in view: their range, as far as it is near the candles between two bars. */
function rangeOfLevels(
  { levels, bars }: Shown,
  from: number,
  to: number,
): Library.AutoscaleInfo | null {
  let [low, high] = [Infinity, -Infinity];
  for (let bar = from; bar <= Math.min(to, bars.high.length - 1); bar++) {
    low = Math.min(low, bars.low[bar]!);
    high = Math.max(high, bars.high[bar]!);
  }
  if (low > high) return null;
  const margin = (high - low) * FARTHEST;
  let [least, most] = [low, high];
  for (const [, level] of levels) {
    if (level.bars[0]! > to || (level.until ?? Infinity) < from) continue;
    for (const price of level.prices) {
      if (price < low - margin || price > high + margin) continue;
      least = Math.min(least, price);
      most = Math.max(most, price);
    }
  }
  return { priceRange: { minValue: least, maxValue: most } };
}

const filledShare = ({ filled_size: filled, total_size: total }: Execution): number =>
  total === 0 ? 0 : Math.min(1, filled / total);

/** `pacemaker buy 62 %`: what it was, and how much of it was filled. */
export const aboutBand = (execution: Execution): string =>
  `${execution.algo} ${execution.side} ${percent(filledShare(execution), 0)}`;
