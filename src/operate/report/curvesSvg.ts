import type { TimedValue } from '../../statistics/index.ts';
import { formatTime } from '../progress/formatNumbers.ts';
import { escapeHtml } from './pageShell.ts';

/** A curve and its name. */
export interface DrawnCurve {
  name: string;
  points: readonly TimedValue[];
}

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [1_100, 320, 80, 22];
/** Of two marks. */
const LEAST_DISTANCE = 14;
/** Distinguishable on both backgrounds, and for red-green colour-blind readers. */
const COLOURS = ['#3b82f6', '#f59e0b', '#10b981', '#a855f7', '#ef4444', '#06b6d4', '#84cc16'];
const MOST_POINTS = 1_500;

export const curveColour = (index: number): string => COLOURS[index % COLOURS.length]!;

/** Curves over one another as SVG; x is time, y what the values are. */
export function curvesSvg(
  curves: readonly DrawnCurve[],
  format: (value: number) => string,
): string {
  const all = curves.flatMap(({ points }) => points);
  const [from, until] = [Math.min(...range(all, 0)), Math.max(...range(all, 0))];
  const [low, high] = [Math.min(0, ...range(all, 1)), Math.max(0, ...range(all, 1))];
  const x = (time: number): number =>
    LEFT + ((time - from) / Math.max(1, until - from)) * (WIDTH - LEFT);
  const y = (value: number): number => (HEIGHT - BOTTOM) * (1 - (value - low) / (high - low || 1));
  const lines = curves.map(({ name, points }, index) => {
    const step = Math.max(1, Math.ceil(points.length / MOST_POINTS));
    const shown = points.filter((_point, at) => at % step === 0 || at === points.length - 1);
    const path = shown.map(([time, value]) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`);
    return `<polyline fill="none" stroke="${curveColour(index)}" stroke-width="1.5" points="${path.join(' ')}"><title>${escapeHtml(name)}</title></polyline>`;
  });
  const places: number[] = [];
  const marks = [0, low, high].flatMap((value) => {
    if (places.some((place) => Math.abs(place - y(value)) < LEAST_DISTANCE)) return [];
    places.push(y(value));
    return `<text x="0" y="${Math.max(10, y(value)).toFixed(1)}">${escapeHtml(format(value))}</text>`;
  });
  const label = `Curves over time: ${curves.map(({ name }) => name).join(', ')}`;
  const zero = `<line class="axis" x1="${LEFT}" x2="${WIDTH}" y1="${y(0).toFixed(1)}" y2="${y(0).toFixed(1)}"/>`;
  const dates = [from, until].map((time, at) => {
    const place = at === 0 ? `x="${LEFT}"` : `x="${WIDTH}" text-anchor="end"`;
    return `<text ${place} y="${HEIGHT - 4}">${formatTime(time)}</text>`;
  });
  return `<div class="scroll wide long" tabindex="0" role="group" aria-label="curves"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(label)}">${zero}${lines.join('')}${marks.join('')}${dates.join('')}</svg></div>`;
}

/** Lowest and highest of a part; a spread of a long curve would not fit the stack. */
function range(points: readonly TimedValue[], part: 0 | 1): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const point of points) {
    low = Math.min(low, point[part]);
    high = Math.max(high, point[part]);
  }
  return points.length === 0 ? [0, 0] : [low, high];
}
