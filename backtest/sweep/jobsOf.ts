import { createRandom } from '../../src/env/index.ts';
import type { ParamRange } from './ParamRange.ts';
import type { PointResult } from './PointResult.ts';
import { rankPoints } from './rankPoints.ts';
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
export function pointsOf(plan: Pick<SweepPlan, 'params' | 'random' | 'seed'>): number[] {
  const size = gridSize(plan.params);
  const { random: wanted } = plan;
  if (wanted === null || wanted >= size) return Array.from({ length: size }, (_none, at) => at);
  const random = createRandom(`points ${plan.seed ?? ''}`);
  const drawn = new Set<number>();
  // Floyd's algorithm: every subset is equally likely, and nothing as large as the grid is stored.
  for (let last = size - wanted; last < size; last++) {
    const candidate = Math.floor(random.next() * (last + 1));
    drawn.add(drawn.has(candidate) ? last : candidate);
  }
  return [...drawn].sort((a, b) => a - b);
}

/** The jobs that are known before anything ran: every point on the range, or on each window's training. */
export function firstJobs(plan: SweepPlan, span: { from: number; until: number }): SweepJob[] {
  const points = pointsOf(plan).map((point) =>
    stepsAt(plan.params, point).map((step, index) => plan.params[index]!.values[step]!),
  );
  if (plan.walk === null) {
    const { range } = plan;
    return points.map((values, index) => ({ index, values, range, window: null, part: 'all' }));
  }
  return windowsOf(plan.walk, span).flatMap(({ train: range }, window) =>
    points.map((values, point) => ({
      index: window * points.length + point,
      values,
      range,
      window,
      part: 'train' as const,
    })),
  );
}

/**
 * The jobs of a walk-forward that follow from the trained ones: the best point of each window on its test. A
 * window whose training has no point with the objective is not tested: nothing was chosen.
 */
export function testJobs(
  plan: SweepPlan,
  jobs: readonly SweepJob[],
  results: ReadonlyMap<number, PointResult>,
  windows: readonly Window[],
): SweepJob[] {
  return windows.flatMap(({ test: range }, window) => {
    const trained = jobs.filter((job) => job.window === window);
    const [best] = rankPoints(trained, results, plan.objective);
    if (best === undefined || best.objective === null) return [];
    const index = jobs.length + window;
    return [{ index, values: best.job.values, range, window, part: 'test' as const }];
  });
}
