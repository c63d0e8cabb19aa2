import { shownValue } from './ParamRange.ts';
import { isRun, type PointResult } from './PointResult.ts';
import { rankColumnsOf, rankJobs } from './rankJobs.ts';
import type { SweepResults } from './results/SweepResults.ts';
import type { SweepJobs } from './SweepJobs.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';

/** Best points of a sweep that are run a second time. */
const CHECKED = 5;

/** Runs each of these jobs in its own thread, in which no other point ran before. */
export type RunFresh = (jobs: readonly SweepJob[]) => Promise<PointResult[]>;

/** The decisive points of a sweep: the best ones, or all that a walk-forward tested. */
export function pointsToCheck(
  { walk, objective }: SweepPlan,
  { jobs, tests, results }: { jobs: SweepJobs; tests: readonly SweepJob[]; results: SweepResults },
): SweepJob[] {
  const isRan = ({ index }: SweepJob): boolean => {
    const result = results.get(index);
    return result !== undefined && isRun(result);
  };
  if (walk !== null) return tests.filter(isRan);
  const ranking = rankJobs(rankColumnsOf(results, jobs.length, objective), objective);
  const best = Array.from({ length: Math.min(CHECKED, ranking.length) }, (_, at) =>
    ranking.at(at)!,
  );
  return best.map(({ index }) => jobs.at(index));
}

/**
 * The points whose second run made other decisions. Points share a process's modules with earlier ones,
 * so a plugin's module-level state carries over from one run to the next.
 */
export function unsteadyPoints(
  jobs: readonly SweepJob[],
  results: SweepResults,
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
  const values = params
    .map(({ name }, index) => `${name}=${shownValue(job.values[index]!)}`)
    .join(' ');
  const window = job.window === null ? '' : ` in window ${job.window + 1}`;
  const more = unsteady.length === 1 ? '' : ` (and ${unsteady.length - 1} more)`;
  return (
    `These results can't be trusted: ${values}${window}${more} decided differently when run alone.\n` +
    '  A plugin keeps state at module level from one run to the next, or decides by chance or the\n' +
    "  machine's clock. Keep its state in setup or in the context, run trimtab check, and sweep into\n" +
    '  another --out.'
  );
}
