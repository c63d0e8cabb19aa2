import type { Env } from '../../../src/env/index.ts';
import { pause, reasonOf } from '../../../src/env/index.ts';
import type { MarketData } from '../../../src/paper/index.ts';
import { loadPlanData } from '../loadPlanData.ts';
import type { PointResult } from '../PointResult.ts';
import { runPoint } from '../runPoint.ts';
import type { SweepJob, SweepPlan } from '../SweepPlan.ts';
import { openSweepDatabase, type SweepDatabase } from './openSweepDatabase.ts';
import { otherVersion } from './otherVersion.ts';
import {
  BACK_MS,
  JOB_LOCK,
  MOST_ATTEMPTS,
  sweepLock,
  WAITED_FOR,
  type Statement,
} from './sweepTables.ts';

export interface WorkOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** Shown beside each job that it started: host and process. */
  worker: string;
  /** Path of the configuration on this machine; default: that of the plan. */
  config: string | null;
  /** Ends when every job of every awaited sweep has its result, instead of waiting for more. */
  exitWhenDone: boolean;
  isStopped(): boolean;
  onResult(result: PointResult): void;
  /** A sweep that this worker can't compute, and why. */
  onRefused(sweep: string, reason: string): void;
}

/** A job as it was found: its identity, which is also that of its lock. */
interface Job {
  sweep: string;
  index: number;
  /** Number of attempts when it was found. */
  attempts: number;
}

interface Claim {
  sweep: string;
  plan: SweepPlan;
  job: SweepJob;
}

/** The job with its data; or why it can't be computed here. */
type Prepared = { plan: SweepPlan; data: MarketData } | { reason: string };

const LOOK_MS = 500;

/**
 * Computes jobs of sweeps that other processes have put into PostgreSQL and wait for, one after the
 * other. The worker holds the lock of its job, so that the job of a killed worker is free again at once.
 * While the database is unavailable, the log reports the reason, and a computed result waits for it.
 *
 * @throws JournalFault `unreachable` at the start; later any refusal of the database
 */
export async function workOnSweeps(
  options: WorkOptions,
  env: Pick<Env, 'clock' | 'timers' | 'log'>,
): Promise<void> {
  const { url, isStopped, onRefused } = options;
  /** The job that this worker computes, or is about to: its lock is acquired again on each connection. */
  let held: Job | undefined;
  const hold = (): Statement | undefined => held && lockOf(held);
  const database = await openSweepDatabase({ url, name: 'trimtab worker', env, hold, isStopped });
  const refused = new Set<string>();
  const prepare = createPreparing(options.config);
  /** Since when only sweeps without a waiting process are left. */
  let leftSince: number | undefined;
  const isDone = async (): Promise<boolean> => {
    const isWaitedFor = await isAnyWaitedFor(database, refused);
    const now = env.clock.monotonicNow();
    leftSince = isWaitedFor === false ? (leftSince ?? now) : undefined;
    return isWaitedFor === null || (leftSince !== undefined && now - leftSince >= BACK_MS);
  };
  try {
    while (!isStopped()) {
      // A new connection must not lock a finished job.
      held = undefined;
      held = await findFree(database, refused);
      if (held === undefined) {
        if (options.exitWhenDone && (await isDone())) return;
        await pause(env.timers, LOOK_MS);
        continue;
      }
      const claim = await begin(database, held, options.worker);
      if (claim === undefined) continue;
      const prepared = await prepare(claim);
      if ('reason' in prepared) {
        refused.add(claim.sweep);
        await forget(database, held);
        onRefused(claim.sweep, prepared.reason);
        continue;
      }
      const result = await runPoint(prepared.plan, claim.job, prepared.data);
      await finish(database, claim, result);
      options.onResult(result);
    }
  } finally {
    await database.close();
  }
}

/** Loads what a sweep needs from this machine, once per sweep. */
function createPreparing(config: string | null): (claim: Claim) => Promise<Prepared> {
  const known = new Map<string, MarketData>();
  const loaded = new Map<string, string>();
  return async (claim) => {
    const strange = otherVersion(claim);
    if (strange !== null) return { reason: strange };
    const plan = { ...claim.plan, config: config ?? claim.plan.config };
    try {
      const data = known.get(claim.sweep) ?? (await loadPlanData(plan, loaded));
      known.set(claim.sweep, data);
      return { plan, data };
    } catch (error) {
      return { reason: reasonOf(error) };
    }
  };
}

/** The first free job, locked until the next is requested; undefined if none is free. */
async function findFree(
  database: SweepDatabase,
  refused: ReadonlySet<string>,
): Promise<Job | undefined> {
  await database.query({ text: 'SELECT pg_advisory_unlock_all()' });
  // Rows come in order, and the first that can be locked is the last that is tried.
  const { rows } = await database.query({
    text: `SELECT sweep, index, attempts FROM (
        SELECT id FROM trimtab.sweeps
        WHERE NOT id = ANY($1) AND ${sweepLock('id')} IN (${WAITED_FOR})
        ORDER BY created, id OFFSET 0) AS waited, LATERAL (
        SELECT sweep, index, attempts FROM trimtab.sweep_jobs
        WHERE sweep = id AND result IS NULL AND attempts < ${MOST_ATTEMPTS}
        ORDER BY index OFFSET 0) AS open
      WHERE pg_try_advisory_lock(${JOB_LOCK}) LIMIT 1`,
    values: [[...refused]],
  });
  return rows[0] as Job | undefined;
}

/** If another worker has it by now, that worker keeps it. */
const lockOf = ({ sweep, index }: Job): Statement => ({
  text: `SELECT pg_try_advisory_lock(${JOB_LOCK}) FROM (VALUES ($1::text, $2::int)) AS job (sweep, index)`,
  values: [sweep, index],
});

/**
 * Counts the attempt before any code of the sweep runs here, because afterwards may be too late.
 * Undefined if the job was finished or its lock was lost between the query and this. It is the same
 * attempt if this ran before and the response was lost with the connection.
 */
async function begin(
  database: SweepDatabase,
  { sweep, index, attempts }: Job,
  worker: string,
): Promise<Claim | undefined> {
  const { rows } = await database.query({
    text: `UPDATE trimtab.sweep_jobs j SET attempts = $4 + 1, worker = $3
      FROM trimtab.sweeps s WHERE s.id = j.sweep AND j.sweep = $1 AND j.index = $2 AND j.result IS NULL
        AND (j.attempts = $4 OR j.attempts = $4 + 1 AND j.worker = $3) AND pg_try_advisory_lock(${JOB_LOCK})
      RETURNING j.sweep, j.job, s.plan`,
    values: [sweep, index, worker, attempts],
  });
  return rows[0] as Claim | undefined;
}

/** Nothing was run, so this does not count as an attempt at the point. */
async function forget(database: SweepDatabase, { sweep, index, attempts }: Job): Promise<void> {
  await database.query({
    text: `UPDATE trimtab.sweep_jobs SET attempts = $3 WHERE sweep = $1 AND index = $2 AND attempts = $3 + 1`,
    values: [sweep, index, attempts],
  });
}

/**
 * Whether a process waits for the remaining jobs: free ones, and those that other workers compute and may
 * still leave. Null if none remains.
 */
async function isAnyWaitedFor(
  database: SweepDatabase,
  refused: ReadonlySet<string>,
): Promise<boolean | null> {
  const { rows } = await database.query({
    text: `SELECT bool_or(${sweepLock('s.id')} IN (${WAITED_FOR})) AS is_any
      FROM trimtab.sweeps s WHERE NOT s.id = ANY($1) AND EXISTS (SELECT FROM trimtab.sweep_jobs j
        WHERE j.sweep = s.id AND j.result IS NULL AND j.attempts < ${MOST_ATTEMPTS})`,
    values: [[...refused]],
  });
  return rows[0]!['is_any'] as boolean | null;
}

/**
 * The first result counts: a worker whose connection broke may find that another one has finished the
 * job.
 */
async function finish(
  database: SweepDatabase,
  { sweep, job }: Claim,
  result: PointResult,
): Promise<void> {
  await database.query({
    text: `UPDATE trimtab.sweep_jobs SET result = $3, finished = clock_timestamp()
      WHERE sweep = $1 AND index = $2 AND result IS NULL`,
    values: [sweep, job.index, JSON.stringify(result)],
  });
}
