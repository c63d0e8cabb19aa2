import { formatFixed } from '../../src/operate/index.ts';
import { escapeHtml } from '../../src/operate/report/index.ts';
import type { RankedPoint } from './rankPoints.ts';
import type { SweepPlan } from './SweepPlan.ts';

/** A grid of two parameters' values; of several points in a cell the best counts. */
export interface Heatmap {
  x: { name: string; values: readonly string[] };
  y: { name: string; values: readonly string[] };
  /** By y, then x; null if no point has the objective. */
  cells: (RankedPoint | null)[][];
}

/** Takes the two parameters with the most values as axes; null if fewer than two vary. */
export function heatmapOf({ params }: SweepPlan, points: readonly RankedPoint[]): Heatmap | null {
  const [first, second] = params
    .map((param, at) => ({ ...param, at }))
    .filter(({ values }) => values.length > 1)
    .toSorted((a, b) => b.values.length - a.values.length);
  if (first === undefined || second === undefined) return null;
  const cells = second.values.map(() => first.values.map((): RankedPoint | null => null));
  // Points come best first, so that the first of a cell is its best.
  for (const point of points) {
    const row = cells[second.values.indexOf(point.job.values[second.at]!)];
    const column = first.values.indexOf(point.job.values[first.at]!);
    if (row !== undefined && point.objective !== null) row[column] ??= point;
  }
  return { x: first, y: second, cells };
}

const [LEFT, BOTTOM, WIDTH] = [90, 40, 1_200];
const MOST_HEIGHT = 44;

/**
 * The heatmap as SVG: green above zero, red below, the best point framed; each cell has its figures as a
 * title.
 */
export function heatmapSvg({ x, y, cells }: Heatmap, objective: string): string {
  let [largest, best] = [Number.MIN_VALUE, -Infinity];
  for (const point of cells.flat()) {
    if (point === null) continue;
    largest = Math.max(largest, Math.abs(point.objective!));
    best = Math.max(best, point.objective!);
  }
  const width = (WIDTH - LEFT) / x.values.length;
  const height = Math.min(MOST_HEIGHT, Math.max(14, width));
  const drawn = cells.flatMap((row, down) =>
    row.map((point, across) => {
      const place = `x="${(LEFT + across * width).toFixed(1)}" y="${(down * height).toFixed(1)}"`;
      const title = `${x.name} ${x.values[across]}, ${y.name} ${y.values[down]}`;
      return cell(point, { place, title, width, height, largest, best, objective });
    }),
  );
  const total = cells.length * height;
  const rows = y.values.map(
    (value, down) =>
      `<text x="${LEFT - 6}" y="${((down + 0.5) * height + 4).toFixed(1)}" text-anchor="end">${escapeHtml(value)}</text>`,
  );
  const every = Math.ceil(40 / width);
  const columns = x.values.map((value, across) =>
    across % every > 0
      ? ''
      : `<text x="${(LEFT + (across + 0.5) * width).toFixed(1)}" y="${total + 14}" text-anchor="middle">${escapeHtml(value)}</text>`,
  );
  const names = `<text x="${(WIDTH + LEFT) / 2}" y="${total + 32}" text-anchor="middle">${escapeHtml(x.name)}</text><text x="0" y="12">${escapeHtml(y.name)}</text>`;
  return `<svg viewBox="0 0 ${WIDTH} ${total + BOTTOM}" role="img">${[...drawn, ...rows, ...columns].join('')}${names}</svg>`;
}

interface CellLook {
  place: string;
  title: string;
  width: number;
  height: number;
  largest: number;
  best: number;
  objective: string;
}

function cell(point: RankedPoint | null, look: CellLook): string {
  const { place, title, width, height, largest, best, objective } = look;
  const size = `width="${(width - 1).toFixed(1)}" height="${(height - 1).toFixed(1)}"`;
  if (point === null) {
    return `<rect ${place} ${size} fill="var(--grid)"><title>${escapeHtml(title)}: none</title></rect>`;
  }
  const value = point.objective!;
  const colour = value >= 0 ? 'var(--gain)' : 'var(--loss)';
  const strength = (0.12 + 0.88 * (Math.abs(value) / largest)).toFixed(3);
  const frame = value === best ? ' stroke="var(--text)" stroke-width="2"' : '';
  const { pnl, trades } = point.run.figures;
  const words = `${title}: ${objective} ${formatFixed(value, 2)}, P&L ${formatFixed(pnl, 2)}, ${trades} trades`;
  return `<rect ${place} ${size} fill="${colour}" fill-opacity="${strength}"${frame}><title>${escapeHtml(words)}</title></rect>`;
}
