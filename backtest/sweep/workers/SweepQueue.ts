import type { ComputedPoint } from '../createPointThreads.ts';
import type { PointCost } from '../PointCost.ts';
import type { SweepJob } from '../SweepPlan.ts';
import type { Patience } from './createPatience.ts';

/** Points that one worker computes. */
export interface Batch {
  jobs: readonly SweepJob[];
}

/** A batch as a worker holds it. */
export interface HeldBatch extends Batch {
  /** How often other workers have lost it. */
  retries: number;
  /** Aborts when it is no longer this worker's. */
  signal: AbortSignal;
}

/** A batch that was given up after three attempts, with what its engine stored of the last one. */
export interface FailedBatch extends Batch {
  reason: string;
}

/** A stored result: the same one of a point is stored once, another one beside it. */
export interface StoredResult {
  row: string;
  /** As the JSON that a worker wrote. */
  result: string;
  cost: PointCost;
}

/** Some stored results, oldest first. */
export interface Page {
  results: StoredResult[];
  /** Where the next page begins. */
  end: string | undefined;
  isLast: boolean;
}

/**
 * What a sweep over workers needs of a job engine, which holds batches for workers, gives those of a lost
 * worker out again, and stores plans and results. Every call may fail while its database is away: `attempt`
 * waits that out.
 */
export interface SweepQueue {
  attempt: Patience;
  /** Begins a sweep, or joins it; the signed plan of who began last stands. */
  begin(sweep: string, signed: string): Promise<void>;
  /** A sweep's signed plan, as long as it has not been removed. */
  plan(sweep: string): Promise<string | undefined>;
  put(sweep: string, batches: ReadonlyArray<readonly SweepJob[]>): Promise<void>;
  /** Takes back the batches that no worker holds. */
  takeBack(sweep: string): Promise<void>;
  /** Hands a sweep's batches to `compute`, so many at a time, until `leave`. */
  take(sweep: string, count: number, compute: (batch: HeldBatch) => Promise<void>): Promise<void>;
  leave(sweep: string): Promise<void>;
  /** Stores results of a sweep, unless it has been removed. */
  write(sweep: string, done: readonly ComputedPoint[], worker: string): Promise<void>;
  /** The page of stored results after another one's end, or the first. */
  read(sweep: string, after: string | undefined): Promise<Page>;
  /** Batches that were given up; undefined while one waits or is held. */
  failed(sweep: string): Promise<FailedBatch[] | undefined>;
  /** Sweeps for which a process waits. */
  waited(): Promise<Set<string>>;
  /** Sweeps for which no process has waited for a week. */
  abandoned(): Promise<string[]>;
  /** From now on this process waits for nothing. */
  stopWaiting(): Promise<void>;
  /** Removes a sweep with its results. */
  remove(sweep: string): Promise<void>;
  close(): Promise<void>;
}
