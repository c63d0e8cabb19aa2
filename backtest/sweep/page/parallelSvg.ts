import { escapeHtml } from '../../../src/operate/report/index.ts';
import { shownValue } from '../ParamRange.ts';
import type { Ranking } from '../rankJobs.ts';
import type { SweepJobs } from '../SweepJobs.ts';
import type { SweepPlan } from '../SweepPlan.ts';
import { short, varying, type PagePoint, type PointLook } from './heatmaps.ts';

const [WIDTH, HEIGHT, TOP, BOTTOM, SIDE] = [900, 330, 34, 16, 70];
/** More lines are no picture: the best and the worst show where both come from. */
const MOST_LINES = 600;
/** Labels of an axis, so that they don't touch. */
const MOST_LABELS = 12;

/** Parallel coordinates: an axis for each parameter that varies, and one of the objective; a line a point. */
export function parallelSvg(
  plan: SweepPlan,
  { jobs, ranking }: { jobs: SweepJobs; ranking: Ranking },
  { ranked, linkOf }: Omit<PointLook, 'figuresOf'>,
): string {
  const axes = varying(plan).toSorted((a, b) => a.at - b.at);
  const shown = shownOf(jobs, ranking);
  const [first, low] = [shown[0]?.objective ?? 0, shown.at(-1)?.objective ?? 0];
  // What has no upper bound is at the top, with the largest number.
  const high = shown.find(({ objective }) => objective !== Infinity)?.objective ?? first;
  const stepsOf = axes.map(({ values }) => new Map(values.map((value, step) => [value, step])));
  const x = (axis: number): number => SIDE + (axis * (WIDTH - 2 * SIDE)) / axes.length;
  const y = (share: number): number => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  const rise = (value: number): number => {
    if (value === Infinity) return 1;
    return high === low ? 0.5 : (value - low) / (high - low);
  };

  const line = (point: PagePoint): string => {
    const places = axes.map(({ values, at }, axis) => {
      const step = stepsOf[axis]!.get(point.job.values[at]!)!;
      return `${x(axis).toFixed(1)},${y(step / (values.length - 1)).toFixed(1)}`;
    });
    const share = rise(point.objective!);
    places.push(`${x(axes.length).toFixed(1)},${y(share).toFixed(1)}`);
    const isBest = point === shown[0];
    const look = `stroke="color-mix(in oklab, var(--gain) ${(share * 100).toFixed(0)}%, var(--loss))" stroke-opacity="${isBest ? 1 : 0.16 + 0.5 * share ** 2}" stroke-width="${isBest ? 3 : 1.2}"`;
    const title = `${axes.map(({ name, at }) => `${name} ${shownValue(point.job.values[at]!)}`).join(', ')}: ${ranked} ${short(point.objective!)}`;
    const drawn = `<polyline fill="none" ${look} points="${places.join(' ')}"><title>${escapeHtml(title)}</title></polyline>`;
    const link = linkOf(point.job);
    return link === undefined ? drawn : `<a href="${link}" tabindex="-1">${drawn}</a>`;
  };
  const columns = axes.map(({ name, values }, axis) => {
    const every = Math.ceil(values.length / MOST_LABELS);
    const labels = values.map((value, step) =>
      step % every > 0 ? '' : label(x(axis), y(step / (values.length - 1)), shownValue(value)),
    );
    return `${upright(x(axis), name)}${labels.join('')}`;
  });
  const last = x(axes.length);
  const ends = `${upright(last, ranked)}${label(last, y(1), first === high ? short(high) : `${short(high)}, ∞`)}${label(last, y(0), short(low))}`;
  // The best one is drawn over the others.
  const lines = shown.toReversed().map(line).join('');
  const about = `Parallel coordinates of ${shown.length} points over ${axes.map(({ name }) => name).join(', ')} and ${ranked}`;
  return `<div class="scroll wide haloed" tabindex="0" role="group" aria-label="parallel coordinates"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(about)}">${lines}${columns.join('')}${ends}</svg></div>`;

  function upright(at: number, name: string): string {
    return `<line class="axis" x1="${at.toFixed(1)}" x2="${at.toFixed(1)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/><text class="name" x="${at.toFixed(1)}" y="14" text-anchor="middle">${escapeHtml(name)}</text>`;
  }
}

function shownOf(jobs: SweepJobs, ranking: Ranking): PagePoint[] {
  const { valued } = ranking;
  const half = Math.floor(MOST_LINES / 2);
  const places = Array.from({ length: Math.min(valued, MOST_LINES) }, (_none, at) =>
    at < half ? at : valued - Math.min(valued, MOST_LINES) + at,
  );
  return places.map((place) => {
    const { index, objective } = ranking.at(place)!;
    return { job: jobs.at(index), objective };
  });
}

const label = (x: number, y: number, text: string): string =>
  `<text x="${(x + 5).toFixed(1)}" y="${(y + 4).toFixed(1)}">${escapeHtml(text)}</text>`;
