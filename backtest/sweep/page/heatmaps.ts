import { formatFixed } from '../../../src/operate/index.ts';
import { escapeHtml } from '../../../src/operate/report/index.ts';
import { shownValue } from '../ParamRange.ts';
import type { PointFigures } from '../PointResult.ts';
import type { SweepJob, SweepPlan } from '../SweepPlan.ts';

/** A parameter that has several values, and its place among all. */
export interface Axis {
  name: string;
  values: readonly string[];
  at: number;
}

/** A job with what ranks it. */
export interface PagePoint {
  job: SweepJob;
  objective: number | null;
}

/** A grid of two parameters' values; of several points in a cell the best counts. */
export interface Heatmap {
  x: Axis;
  y: Axis;
  /** Values, or spans of them where there are too many. */
  columns: readonly string[];
  rows: readonly string[];
  /** By y, then x; null if no point has the objective. */
  cells: (PagePoint | null)[][];
}

/** Cells of a row or a column; a page of a million cells would open in no browser. */
const MOST_CELLS = 60;

/** Parameters with several values, those with the most first. */
export const varying = ({ params }: Pick<SweepPlan, 'params'>): Axis[] =>
  params
    .map((param, at) => ({ ...param, at }))
    .filter(({ values }) => values.length > 1)
    .toSorted((a, b) => b.values.length - a.values.length);

/**
 * Pairs of the three parameters with the most values; none if fewer than two vary.
 *
 * @param points best first
 */
export function heatmapsOf(
  plan: Pick<SweepPlan, 'params'>,
  points: Iterable<PagePoint>,
): Heatmap[] {
  const [a, b, c] = varying(plan);
  const pairs: (readonly [Axis | undefined, Axis | undefined])[] = [
    [a, b],
    [a, c],
    [b, c],
  ];
  const maps = pairs.flatMap(([x, y]) =>
    x === undefined || y === undefined ? [] : [emptyHeatmap(x, y)],
  );
  for (const point of points) {
    if (point.objective === null) break;
    // Points come best first, so that the first of a cell is its best.
    for (const { put } of maps) put(point);
  }
  return maps.map(({ map }) => map);
}

function emptyHeatmap(x: Axis, y: Axis): { map: Heatmap; put: (point: PagePoint) => void } {
  const [across, down] = [groupsOf(x), groupsOf(y)];
  const cells = down.names.map(() => across.names.map((): PagePoint | null => null));
  return {
    map: { x, y, columns: across.names, rows: down.names, cells },
    put(point) {
      const row = down.groupAt.get(point.job.values[y.at]!);
      const column = across.groupAt.get(point.job.values[x.at]!);
      if (row !== undefined && column !== undefined) cells[row]![column] ??= point;
    },
  };
}

/** The values of an axis as cells: each its own, or as many as it takes, one after another, in one. */
function groupsOf({ values }: Axis): { names: string[]; groupAt: Map<string, number> } {
  const size = Math.ceil(values.length / MOST_CELLS);
  const groupAt = new Map(values.map((value, step) => [value, Math.floor(step / size)]));
  const names = Array.from({ length: Math.ceil(values.length / size) }, (_none, group) => {
    const own = values.slice(group * size, (group + 1) * size);
    const [first, last] = [shownValue(own[0]!), shownValue(own.at(-1)!)];
    return own.length === 1 ? first : `${first}…${last}`;
  });
  return { names, groupAt };
}

/** Of the ground's colour: more would hide the numbers. */
const [FAINTEST, STRONGEST] = [6, 62];

/**
 * A heatmap as a table, which scrolls where it is wider than the screen: green above zero, red below, each cell with
 * its number, the best one framed.
 */
export function heatmapTable(
  { x, y, columns, rows: names, cells }: Heatmap,
  { ranked, linkOf, figuresOf }: PointLook,
): string {
  let [largest, best] = [Number.MIN_VALUE, -Infinity];
  for (const point of cells.flat()) {
    if (point === null) continue;
    if (Number.isFinite(point.objective)) largest = Math.max(largest, Math.abs(point.objective!));
    best = Math.max(best, point.objective!);
  }
  const head = columns.map((value) => `<th scope="col">${escapeHtml(value)}</th>`).join('');
  const rows = cells.map((row, down) => {
    const own = row.map((point, across) => {
      const title = `${x.name} ${columns[across]}, ${y.name} ${names[down]}`;
      if (point === null) return noCell(title);
      const link = linkOf(point.job);
      return cell(point, { title, largest, best, ranked, link, figures: figuresOf(point.job) });
    });
    return `<tr><th scope="row">${escapeHtml(names[down]!)}</th>${own.join('')}</tr>`;
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
  link: string | undefined;
  figures: PointFigures;
}

/** What a picture shows of its points. */
export interface PointLook {
  /** Name of what ranks them. */
  ranked: string;
  linkOf: (job: SweepJob) => string | undefined;
  figuresOf: (job: SweepJob) => PointFigures;
}

const noCell = (title: string): string =>
  `<td class="none" title="${escapeHtml(title)}: none">–</td>`;

function cell(point: PagePoint, look: CellLook): string {
  const { title, largest, best, ranked, link } = look;
  const value = point.objective!;
  const strength = FAINTEST + (STRONGEST - FAINTEST) * Math.min(1, Math.abs(value) / largest);
  const colour = `color-mix(in srgb, var(${value >= 0 ? '--gain' : '--loss'}) ${strength.toFixed(1)}%, var(--card))`;
  const { pnl, trades, max_drawdown_share: fall } = look.figures;
  const words = `${title}: ${ranked} ${value === Infinity ? '∞' : formatFixed(value, 2)}, P&L ${formatFixed(pnl, 2)}, drawdown ${formatFixed(fall * 100, 2)} %, ${trades} trades`;
  const text = short(value);
  const inner = link !== undefined ? `<a href="${link}">${text}</a>` : text;
  return `<td${value === best ? ' class="best"' : ''} style="background:${colour}" title="${escapeHtml(words)}">${inner}</td>`;
}

/** As many digits as a cell has room for. */
export function short(value: number): string {
  if (value === Infinity) return '∞';
  const size = Math.abs(value);
  if (size >= 1e6) return `${formatFixed(value / 1e6, 1)}M`;
  if (size >= 1e4) return `${formatFixed(value / 1e3, 0)}k`;
  return formatFixed(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
