import { formatFixed } from '../../../src/operate/index.ts';
import { escapeHtml } from '../../../src/operate/report/index.ts';
import type { RankedPoint } from '../rankPoints.ts';
import type { SweepPlan } from '../SweepPlan.ts';

/** A parameter that has several values, and its place among all. */
interface Axis {
  name: string;
  values: readonly string[];
  at: number;
}

/** A grid of two parameters' values; of several points in a cell the best counts. */
export interface Heatmap {
  x: Axis;
  y: Axis;
  /** By y, then x; null if no point has the objective. */
  cells: (RankedPoint | null)[][];
}

/** Parameters with several values, those with the most first. */
export const varying = ({ params }: SweepPlan): Axis[] =>
  params
    .map((param, at) => ({ ...param, at }))
    .filter(({ values }) => values.length > 1)
    .toSorted((a, b) => b.values.length - a.values.length);

/** Pairs of the three parameters with the most values; none if fewer than two vary. */
export function heatmapsOf(plan: SweepPlan, points: readonly RankedPoint[]): Heatmap[] {
  const [a, b, c] = varying(plan);
  const pairs: (readonly [Axis | undefined, Axis | undefined])[] = [
    [a, b],
    [a, c],
    [b, c],
  ];
  return pairs.flatMap(([x, y]) =>
    x === undefined || y === undefined ? [] : [heatmapOf(x, y, points)],
  );
}

function heatmapOf(x: Axis, y: Axis, points: readonly RankedPoint[]): Heatmap {
  const cells = y.values.map(() => x.values.map((): RankedPoint | null => null));
  // Points come best first, so that the first of a cell is its best.
  for (const point of points) {
    const row = cells[y.values.indexOf(point.job.values[y.at]!)];
    const column = x.values.indexOf(point.job.values[x.at]!);
    if (row !== undefined && point.objective !== null) row[column] ??= point;
  }
  return { x, y, cells };
}

/** Of the ground's colour: more would hide the numbers. */
const [FAINTEST, STRONGEST] = [6, 62];

/**
 * A heatmap as a table, which scrolls where it is wider than the screen: green above zero, red below, each cell with
 * its number, the best one framed.
 */
export function heatmapTable(
  { x, y, cells }: Heatmap,
  { ranked, linkOf }: { ranked: string; linkOf: (point: RankedPoint) => string | undefined },
): string {
  let [largest, best] = [Number.MIN_VALUE, -Infinity];
  for (const point of cells.flat()) {
    if (point === null) continue;
    largest = Math.max(largest, Math.abs(point.objective!));
    best = Math.max(best, point.objective!);
  }
  const head = x.values.map((value) => `<th scope="col">${escapeHtml(value)}</th>`).join('');
  const rows = cells.map((row, down) => {
    const own = row.map((point, across) => {
      const title = `${x.name} ${x.values[across]}, ${y.name} ${y.values[down]}`;
      return cell(point, { title, largest, best, ranked, link: point && linkOf(point) });
    });
    return `<tr><th scope="row">${escapeHtml(y.values[down]!)}</th>${own.join('')}</tr>`;
  });
  const axes = `<p class="note axes">→ ${escapeHtml(x.name)} &nbsp; ↓ ${escapeHtml(y.name)}</p>`;
  const caption = `<caption class="unseen">${escapeHtml(`${ranked} over ${x.name} and ${y.name}`)}</caption>`;
  const table = `<table class="heat">${caption}<thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
  return `${scale(largest)}${axes}<div class="scroll" tabindex="0" role="group" aria-label="heatmap">${table}</div>`;
}

function scale(largest: number): string {
  const ends = [-largest, 0, largest].map((value) => `<span>${short(value)}</span>`).join('');
  return `<div class="scale"><i></i><div>${ends}</div></div>`;
}

interface CellLook {
  title: string;
  largest: number;
  best: number;
  ranked: string;
  link: string | null | undefined;
}

function cell(point: RankedPoint | null, look: CellLook): string {
  const { title, largest, best, ranked, link } = look;
  if (point === null) return `<td class="none" title="${escapeHtml(title)}: none">–</td>`;
  const value = point.objective!;
  const strength = FAINTEST + (STRONGEST - FAINTEST) * (Math.abs(value) / largest);
  const colour = `color-mix(in srgb, var(${value >= 0 ? '--gain' : '--loss'}) ${strength.toFixed(1)}%, var(--card))`;
  const { pnl, trades, max_drawdown_share: fall } = point.run.figures;
  const words = `${title}: ${ranked} ${formatFixed(value, 2)}, P&L ${formatFixed(pnl, 2)}, drawdown ${formatFixed(fall * 100, 2)} %, ${trades} trades`;
  const text = short(value);
  const inner = link ? `<a href="${link}">${text}</a>` : text;
  return `<td${value === best ? ' class="best"' : ''} style="background:${colour}" title="${escapeHtml(words)}">${inner}</td>`;
}

/** As many digits as a cell has room for. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${formatFixed(value / 1e6, 1)}M`;
  if (size >= 1e4) return `${formatFixed(value / 1e3, 0)}k`;
  return formatFixed(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
