import { resolve } from 'node:path';
import type { RunningPoint, WorkerCost } from './PointCost.ts';
import { perSecond } from './formatWorkers.ts';
import { openPart } from './shards/openPart.ts';
import { requireOneSweep } from './shards/mergeParts.ts';
import { formatShard } from './shards/Shard.ts';
import { stragglersOf } from './stragglersOf.ts';

/** A sweep as its results files show it, while it runs and after. */
export interface SweepStatus {
  state: 'complete' | 'running' | 'stopped';
  done: number;
  /** Null where a file does not know it yet. */
  total: number | null;
  failed: number;
  /** Of the workers that are at work. */
  points_per_second: number;
  left_ms: number | null;
  files: SweepFileStatus[];
  workers: WorkerCost[];
  /** Points that take much longer than the others. */
  slow: RunningPoint[];
  ms_per_point: number;
  faults: { fault: string; points: number }[];
}

export interface SweepFileStatus {
  file: string;
  shard: string | null;
  done: number;
  total: number | null;
}

/** A worker without a result for so long, and without a point that it computes, is not at work. */
const SILENT_MS = 60_000;

/**
 * Reads what results files of one sweep say about it.
 *
 * @throws PartRefusal for a file that is no results file, or of another sweep
 */
export function readSweepStatus(paths: readonly string[], now: number): SweepStatus {
  const parts = eachOnce(paths).map((path) => openPart(path, { check: false }));
  try {
    requireOneSweep(parts);
    const files = parts.map(({ path, shard, size: done, total }) => {
      return { file: path, shard: shard && formatShard(shard), done, total };
    });
    const workers = parts.flatMap((part) => part.workers);
    const running = parts.flatMap((part) => part.running(now));
    const faults = countFaults(parts.flatMap((part) => [...part.faults()]));
    const done = files.reduce((sum, file) => sum + file.done, 0);
    const total = files.some((file) => file.total === null)
      ? null
      : files.reduce((sum, file) => sum + file.total!, 0);
    const points = workers.reduce((sum, each) => sum + each.points, 0);
    const msAPoint = workers.reduce((sum, each) => sum + each.ms, 0) / Math.max(1, points);
    const busy = new Set(running.map(({ worker }) => worker));
    const active = workers.filter(
      ({ worker, last }) => busy.has(worker) || now - last < SILENT_MS + 3 * msAPoint,
    );
    const isComplete = total !== null && done >= total;
    const isActive = active.length > 0 || running.length > 0;
    const rate = isComplete ? 0 : active.reduce((sum, each) => sum + perSecond(each), 0);
    return {
      state: isComplete ? 'complete' : isActive ? 'running' : 'stopped',
      done,
      total,
      failed: faults.reduce((sum, each) => sum + each.points, 0),
      points_per_second: rate,
      left_ms: total === null || rate === 0 ? null : ((total - done) / rate) * 1_000,
      files,
      workers,
      // A process that was killed has left the point that it was at.
      slow: isComplete ? [] : stragglersOf(running, { msAPoint }),
      ms_per_point: msAPoint,
      faults,
    };
  } finally {
    for (const part of parts) part.close();
  }
}

/** A file that is named twice, as by two patterns, has its points once. */
function eachOnce(paths: readonly string[]): string[] {
  const seen = new Set<string>();
  return paths.filter((path) => {
    const place = resolve(path);
    return !seen.has(place) && seen.add(place);
  });
}

function countFaults(all: readonly string[]): { fault: string; points: number }[] {
  const counts = new Map<string, number>();
  for (const fault of all) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  return [...counts]
    .map(([fault, points]) => ({ fault, points }))
    .toSorted((a, b) => b.points - a.points);
}
