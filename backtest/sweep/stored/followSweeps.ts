import { pause, reasonOf } from '../../../src/env/index.ts';
import type { PointThreads } from '../createPointThreads.ts';
import type { Patience, PatienceOptions } from './createPatience.ts';
import type { SweepTables } from './createSweepTables.ts';

const LOOK_MS = 2_000;

export interface FollowOptions extends PatienceOptions {
  /** Ends when no process waits for a sweep that this worker can compute, instead of waiting for more. */
  exitWhenDone: boolean;
  /** Checks a stored plan and loads what it needs. @throws for one that can't be computed here */
  prepare(signed: string): Promise<PointThreads>;
  /** A sweep that this worker can't compute, and why. */
  onRefused(sweep: string, reason: string): void;
}

export interface Follower {
  tables: SweepTables;
  attempt: Patience;
  /** Rejects when the worker has to end. */
  refused: Promise<never>;
  take(sweep: string): Promise<unknown>;
  /** Resolves when none of its points is being computed here. */
  leave(sweep: string): Promise<void>;
}

/**
 * Takes each sweep for which a process waits, and leaves it when none does.
 *
 * @param taken by sweep; null for one that was refused
 */
export async function followSweeps(
  options: FollowOptions,
  { tables, attempt, refused, ...follower }: Follower,
  taken: Map<string, PointThreads | null>,
): Promise<void> {
  const { env, isStopped } = options;
  // It is looked at between two looks only.
  refused.catch(() => {});
  const take = async (sweep: string, signed: string): Promise<void> => {
    const prepared = await options.prepare(signed).catch(reasonOf);
    taken.set(sweep, typeof prepared === 'string' ? null : prepared);
    if (typeof prepared === 'string') options.onRefused(sweep, prepared);
    else await follower.take(sweep);
  };
  const leave = async (sweep: string): Promise<void> => {
    const prepared = taken.get(sweep);
    taken.delete(sweep);
    await follower.leave(sweep);
    await prepared?.close();
  };
  const look = async (): Promise<void> => {
    const waited = await tables.waited([...taken.keys()]);
    for (const sweep of taken.keys()) if (!waited.has(sweep)) await leave(sweep);
    for (const [sweep, signed] of waited) if (signed !== null) await take(sweep, signed);
  };
  try {
    for (; !isStopped(); await Promise.race([refused, pause(env.timers, LOOK_MS)])) {
      await attempt(look);
      if (options.exitWhenDone && [...taken.values()].every((each) => each === null)) return;
    }
  } finally {
    await Promise.all([...taken.keys()].map(leave));
  }
}
