import type { RunningPoint } from './PointCost.ts';

/** A point is slow beyond so many times the mean of the others, and this time. */
const [TIMES, LEAST_MS] = [5, 10_000];

/** The points that take much longer than those before them, the longest first. */
export function stragglersOf(
  running: readonly RunningPoint[],
  { msAPoint }: { msAPoint: number },
): RunningPoint[] {
  const limit = Math.max(LEAST_MS, TIMES * msAPoint);
  return running.filter(({ ms }) => ms > limit).toSorted((a, b) => b.ms - a.ms);
}
