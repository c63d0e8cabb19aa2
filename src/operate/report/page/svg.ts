// Small charts as SVG, drawn as wide as their place, so that their texts are as large as the page's.
import { onTheme } from './theme.ts';

const NAMESPACE = 'http://www.w3.org/2000/svg';

export function svgElement(
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  text?: string,
): SVGElement {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** The plane of a chart, in pixels of the page. */
export interface Plane {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Draws into a holder, again whenever its width or the theme changes. */
export function drawResizing(
  holder: HTMLElement,
  { height, label }: { height: number; label: string },
  draw: (plane: Plane) => SVGElement[],
): void {
  let width = 0;
  const redraw = (): void => {
    width = holder.clientWidth;
    if (width === 0) return;
    const root = svgElement('svg', {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': label,
    });
    const plane = { width, height, left: 58, right: width - 8, top: 8, bottom: height - 24 };
    root.append(...draw(plane));
    holder.replaceChildren(root);
  };
  new ResizeObserver(() => {
    if (holder.clientWidth !== width) redraw();
  }).observe(holder);
  onTheme(redraw);
  redraw();
}

/** A linear scale from values to pixels. */
export type Scale = (value: number) => number;

export const linear =
  ([low, high]: readonly [number, number], from: number, to: number): Scale =>
  (value) =>
    from + ((value - low) / (high - low || 1)) * (to - from);

/** Round values within a range, a few of them: multiples of 1, 2 or 5 times a power of ten. */
export function ticks([low, high]: readonly [number, number], count: number): number[] {
  const rough = (high - low) / Math.max(1, count);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_none, at) => (first + at) * step);
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const DURATIONS = [1, 5, 15, 30]
  .map((count) => count * MINUTE)
  .concat([1, 2, 4, 8, 12].map((count) => count * HOUR))
  .concat([1, 2, 5, 10, 20, 50, 100, 200, 500].map((count) => count * DAY));

/** The same for durations: whole minutes, hours or days. */
export function durationTicks([low, high]: readonly [number, number], count: number): number[] {
  const rough = (high - low) / Math.max(1, count);
  const step = DURATIONS.find((each) => each >= rough) ?? DURATIONS.at(-1)!;
  const first = Math.ceil(low / step);
  return Array.from(
    { length: Math.floor(high / step) - first + 1 },
    (_none, at) => (first + at) * step,
  );
}

/** Lines and texts of an upright axis, with a stronger line at zero. */
export function valueAxis(
  plane: Plane,
  scale: Scale,
  { values, text }: { values: readonly number[]; text: (value: number) => string },
): SVGElement[] {
  return values.flatMap((value) => {
    const y = scale(value).toFixed(1);
    const line = { x1: plane.left, x2: plane.right, y1: y, y2: y };
    return [
      svgElement('line', { ...line, class: value === 0 ? 'axis' : 'grid' }),
      svgElement(
        'text',
        { x: plane.left - 6, y: Number(y) + 4, 'text-anchor': 'end' },
        text(value),
      ),
    ];
  });
}
