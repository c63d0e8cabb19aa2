import { createRandom } from '../../src/env/index.ts';
import type { ParamRange } from './ParamRange.ts';
import { rankJobs, type RankColumns } from './rankJobs.ts';
import { createSweepJobs, type SweepJobs } from './SweepJobs.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';
import { windowsOf, type Window } from './walkForward.ts';

/** Number of points of the whole grid. */
export function gridSize(params: readonly ParamRange[]): number {
  return params.reduce((size, { values }) => size * values.length, 1);
}

/** Index of each parameter's value at a point of the grid; the last parameter varies fastest. */
export function stepsAt(params: readonly ParamRange[], point: number): number[] {
  const steps: number[] = [];
  let rest = point;
  for (const { values } of params.toReversed()) {
    steps.unshift(rest % values.length);
    rest = Math.floor(rest / values.length);
  }
  return steps;
}

/** The points to try: all of the grid, or a number drawn from it without repetition, ascending. */
export function pointsOf(
  plan: Pick<SweepPlan, 'params' | 'random' | 'seed'>,
): Float64Array<ArrayBuffer> {
  const size = gridSize(plan.params);
  const { random: wanted } = plan;
  if (wanted === null || wanted >= size) return Float64Array.from({ length: size }, (_, at) => at);
  const random = createRandom(`points ${plan.seed ?? ''}`);
  const drawn = new Set<number>();
  // Floyd's algorithm: every subset is equally likely, and nothing as large as the grid is stored.
  for (let last = size - wanted; last < size; last++) {
    const candidate = Math.floor(random.next() * (last + 1));
    drawn.add(drawn.has(candidate) ? last : candidate);
  }
  return Float64Array.from(drawn).sort();
}

/** The jobs that are known before anything ran: every point on the range, or on each window's training. */
export function firstJobs(plan: SweepPlan, span: { from: number; until: number }): SweepJobs {
  const points = pointsOf(plan);
  const { params, range, walk } = plan;
  const valuesAt = (point: number): string[] =>
    stepsAt(params, points[point]!).map((step, index) => params[index]!.values[step]!);
  if (walk === null) {
    return createSweepJobs({ length: points.length }, (index) => {
      return { index, values: valuesAt(index), range, window: null, part: 'all' };
    });
  }
  const windows = windowsOf(walk, span);
  const size = { length: windows.length * points.length, windows: windows.length };
  return createSweepJobs(size, (index) => {
    const window = Math.floor(index / points.length);
    const values = valuesAt(index % points.length);
    return { index, values, range: windows[window]!.train, window, part: 'train' };
  });
}

/**
 * The jobs of a walk-forward that follow from the trained ones: the best point of each window on its test. A
 * window whose training has no point with the objective is not tested: nothing was chosen.
 */
export function testJobs(
  plan: Pick<SweepPlan, 'objective'>,
  jobs: SweepJobs,
  columns: RankColumns,
  windows: readonly Window[],
): SweepJob[] {
  return windows.flatMap(({ test: range }, window) => {
    const best = rankJobs(columns, plan.objective, trainedIn(window, jobs)).at(0);
    if (best === undefined || best.objective === null) return [];
    const { values } = jobs.at(best.index);
    return [{ index: jobs.length + window, values, range, window, part: 'test' as const }];
  });
}

/** The indexes of the jobs that a window trains: it has as many as every other. */
export function trainedIn(
  window: number,
  { length, windows }: SweepJobs,
): { from: number; until: number } {
  const each = length / windows;
  return { from: window * each, until: (window + 1) * each };
}
