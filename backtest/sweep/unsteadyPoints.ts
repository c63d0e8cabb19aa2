import { isRun, type PointResult } from './PointResult.ts';
import { rankPoints } from './rankPoints.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';

/** Best points of a sweep that are run a second time. */
const CHECKED = 5;

/** Runs each of these jobs in its own thread, in which no other point ran before. */
export type RunFresh = (jobs: readonly SweepJob[]) => Promise<PointResult[]>;

/** The decisive points of a sweep: the best ones, or all that a walk-forward tested. */
export function pointsToCheck(
  plan: SweepPlan,
  jobs: readonly SweepJob[],
  results: ReadonlyMap<number, PointResult>,
): SweepJob[] {
  const tests = jobs.filter(({ part }) => part === 'test');
  const some = rankPoints(plan.walk === null ? jobs : tests, results, plan.objective);
  return some.slice(0, plan.walk === null ? CHECKED : undefined).map(({ job }) => job);
}

/**
 * The points whose second run made other decisions. Points share a process's modules with earlier ones,
 * so a plugin's module-level state carries over from one run to the next.
 */
export function unsteadyPoints(
  jobs: readonly SweepJob[],
  results: ReadonlyMap<number, PointResult>,
  fresh: readonly PointResult[],
): SweepJob[] {
  const again = new Map(fresh.map((result) => [result.index, result]));
  return jobs.filter(({ index }) => {
    const second = again.get(index);
    return second !== undefined && markOf(second) !== markOf(results.get(index)!);
  });
}

const markOf = (result: PointResult): string =>
  isRun(result) ? result.figures.hash : result.fault;

/** The problem with the results, and the remedy; null if every checked point was the same again. */
export function describeUnsteady(
  { params }: SweepPlan,
  unsteady: readonly SweepJob[],
): string | null {
  const [job] = unsteady;
  if (job === undefined) return null;
  const values = params.map(({ name }, index) => `${name}=${job.values[index]}`).join(' ');
  const window = job.window === null ? '' : ` in window ${job.window + 1}`;
  const more = unsteady.length === 1 ? '' : ` (and ${unsteady.length - 1} more)`;
  return (
    `These results can't be trusted: ${values}${window}${more} decided differently when run alone.\n` +
    '  A plugin keeps state at module level from one run to the next, or decides by chance or the\n' +
    "  machine's clock. Keep its state in setup or in the context, run trimtab check, and sweep into\n" +
    '  another --out.'
  );
}
