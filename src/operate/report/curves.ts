import { MINUTE_MS } from '../../contract/durations.ts';
import type { TimedValue } from '../../statistics/index.ts';

export interface CurveEnds {
  startTime: number;
  endTime: number;
  /** P&L of the run, quote units. */
  pnl: number;
}

/**
 * A P&L curve from zero at the start of the run to the run's own P&L at its end: the points between
 * begin with the first bar that closed, and stop with the last one, before the last fills and marks.
 */
export function pinEnds(curve: readonly TimedValue[], ends: CurveEnds): TimedValue[] {
  const { startTime, endTime, pnl } = ends;
  const between = curve.filter(
    ([time, value]) => time > startTime && (time < endTime || (time === endTime && value !== pnl)),
  );
  return [[startTime, 0], ...between, [endTime, pnl]];
}

/** Sum of curves at every time that any of them has; each has its last value until the next. */
export function addCurves(curves: readonly (readonly TimedValue[])[]): TimedValue[] {
  const times = [...new Set(curves.flatMap((curve) => curve.map(([time]) => time)))];
  const cursors = curves.map(() => -1);
  return times
    .toSorted((a, b) => a - b)
    .map((time) => {
      const parts = curves.map((curve, index) => {
        while ((curve[cursors[index]! + 1]?.[0] ?? Infinity) <= time) cursors[index]! += 1;
        return curve[cursors[index]!]?.[1] ?? 0;
      });
      return [time, parts.reduce((total, part) => total + part, 0)] as const;
    });
}

/** Instants at equal distances: a chart spaces points by their count, so only these show time to scale. */
export interface TimeGrid {
  start: number;
  stepMs: number;
  steps: number;
}

export function timeGrid(start: number, end: number, maxSteps: number): TimeGrid {
  const wanted = Math.max(1, end - start) / maxSteps;
  const stepMs = Math.max(1, Math.ceil(wanted / MINUTE_MS)) * MINUTE_MS;
  return { start, stepMs, steps: Math.ceil((end - start) / stepMs) };
}

/**
 * The curve at each instant of the grid: the `last` value since the instant before, or the `lowest`, so
 * that no trough is lost, or the `extremes`: of two steps with more than two points the highest and the lowest,
 * in their order. An interval without points keeps the previous value.
 */
export function sampleCurve(
  curve: readonly TimedValue[],
  grid: TimeGrid,
  pick: 'last' | 'lowest' | 'extremes',
): number[] {
  if (pick === 'extremes') return sampleExtremes(curve, grid);
  const sampled: number[] = [];
  let cursor = 0;
  let value = curve[0]?.[1] ?? 0;
  for (let step = 0; step <= grid.steps; step += 1) {
    const time = grid.start + step * grid.stepMs;
    let lowest = Number.POSITIVE_INFINITY;
    for (
      let point = curve[cursor];
      point !== undefined && point[0] <= time;
      point = curve[cursor]
    ) {
      value = point[1];
      lowest = Math.min(lowest, value);
      cursor += 1;
    }
    sampled.push(pick === 'lowest' && lowest !== Infinity ? lowest : value);
  }
  return sampled;
}

function sampleExtremes(curve: readonly TimedValue[], grid: TimeGrid): number[] {
  const sampled = sampleCurve(curve, grid, 'last');
  const hasOneEach = (from: number, until: number, middle: number): boolean =>
    until - from < 2 ||
    (until - from === 2 && curve[from]![0] <= middle && curve[from + 1]![0] > middle);
  let cursor = 0;
  // The last instant has the last value, whatever came before it: the two before it show its extremes as well.
  for (let step = 0; step + 1 < grid.steps; step += 2) {
    const isLast = step + 3 >= grid.steps;
    const end = isLast ? Number.POSITIVE_INFINITY : grid.start + (step + 1) * grid.stepMs;
    const from = cursor;
    while (curve[cursor] !== undefined && curve[cursor]![0] <= end) cursor += 1;
    if (hasOneEach(from, cursor, grid.start + step * grid.stepMs)) continue;
    let [low, high] = [from, from];
    for (let at = from; at < cursor; at += 1) {
      if (curve[at]![1] < curve[low]![1]) low = at;
      if (curve[at]![1] >= curve[high]![1]) high = at;
    }
    sampled[step] = curve[Math.min(low, high)]![1];
    sampled[step + 1] = curve[Math.max(low, high)]![1];
  }
  return sampled;
}
