import type { PointCost } from './PointCost.ts';

/** What a sweep will cost, from points that were measured. */
export interface SweepEstimate {
  /** Those that are left. */
  points: number;
  measured: number;
  /** Mean of a point in one thread, and its standard error. */
  msAPoint: number;
  errorMs: number;
  /** Of the slowest that was measured. */
  longestMs: number;
  threads: number;
  /** Until all are done, on one machine with so many threads. */
  totalMs: number;
}

/** Points that are measured, and the fewest of a sweep of which it is worth it. */
export const [SAMPLE, FEWEST_SAMPLED] = [16, 200];

/** Fractional part of the golden ratio. */
const GOLDEN = 0.6180339887498949;

/** Some items, spread evenly over a list whose neighbours are alike, in a fixed order. */
export function sampleOf<T>(all: { length: number; at(index: number): T | undefined }): T[] {
  const { length } = all;
  const places = new Set<number>();
  for (let turn = 1; places.size < Math.min(SAMPLE, length); turn++) {
    places.add(Math.floor(((turn * GOLDEN) % 1) * length));
  }
  return [...places].map((place) => all.at(place)!);
}

/**
 * The first point of each worker loads and compiles code for all that follow: it counts only where there is no
 * other.
 *
 * @param costs of the points that were measured, at least one, in the order in which they ended
 */
export function estimateSweep(
  costs: readonly PointCost[],
  { points, threads }: { points: number; threads: number },
): SweepEstimate {
  const seen = new Set<string>();
  const later = costs.filter(({ worker }) => {
    const isFirst = !seen.has(worker);
    seen.add(worker);
    return !isFirst;
  });
  const each = (later.length === 0 ? costs : later).map(({ ms }) => ms);
  const mean = each.reduce((sum, ms) => sum + ms, 0) / each.length;
  const squares = each.reduce((sum, ms) => sum + (ms - mean) ** 2, 0);
  const deviation = each.length < 2 ? mean : Math.sqrt(squares / (each.length - 1));
  return {
    points,
    measured: each.length,
    msAPoint: mean,
    errorMs: deviation / Math.sqrt(each.length),
    longestMs: Math.max(...each),
    threads,
    totalMs: (points * mean) / Math.min(threads, Math.max(points, 1)),
  };
}

/**
 * Milliseconds until a machine's first point begins: its load, and what the sample took beyond its points.
 *
 * @param costs of the whole sample
 * @param times `wholeMs` is that of the sample, with the start of the threads
 */
export function startOf(
  costs: readonly PointCost[],
  { loadMs, wholeMs, threads }: { loadMs: number; wholeMs: number; threads: number },
): number {
  // Of more threads than points some were idle.
  const busy = Math.max(1, Math.min(threads, costs.length));
  const pointsMs = costs.reduce((sum, { ms }) => sum + ms, 0) / busy;
  return loadMs + Math.max(0, wholeMs - pointsMs);
}

/**
 * Machines like this one that a deadline needs, each with one shard.
 *
 * @param startMs what each takes until its first point begins: loading the tape, above all
 * @returns null if no number of them is enough
 */
export function shardsWithin(
  { points, msAPoint, longestMs, threads }: SweepEstimate,
  { withinMs, startMs }: { withinMs: number; startMs: number },
): number | null {
  const left = withinMs - startMs;
  // The last point of a shard begins while the others still run.
  const usable = left - longestMs;
  if (usable <= 0) return left >= longestMs ? Math.ceil(points / threads) : null;
  return Math.max(1, Math.ceil((points * msAPoint) / threads / usable));
}
