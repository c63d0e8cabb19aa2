import type { Env } from '../../../src/env/index.ts';
import { reasonOf } from '../../../src/env/index.ts';
import type { PgClient } from '../../../src/journal/index.ts';
import type { MarketData } from '../../../src/paper/index.ts';
import { loadPlanData } from '../loadPlanData.ts';
import type { PointResult } from '../PointResult.ts';
import { runPoint } from '../runPoint.ts';
import type { SweepJob, SweepPlan } from '../SweepPlan.ts';
import { otherVersion } from './otherVersion.ts';
import { connectSweeps } from './sweepTables.ts';

export interface WorkOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** Shown beside each result: host and process. */
  worker: string;
  /** Where the configuration lies on this machine; the plan's own path otherwise. */
  config: string | null;
  /** Ends when every job of every sweep has its result, instead of waiting for more. */
  exitWhenDone: boolean;
  isStopped(): boolean;
  onResult(result: PointResult): void;
  /** A sweep that this worker can't help with, and why. */
  onRefused(sweep: string, reason: string): void;
}

interface Claim {
  sweep: string;
  plan: SweepPlan;
  job: SweepJob;
}

const LOOK_MS = 500;

/**
 * Computes jobs of sweeps that others have put into PostgreSQL, one after the other: claim, compute and
 * result are one transaction, so that a job whose worker is killed is free again at once.
 *
 * @throws JournalFault `unreachable`
 */
export async function workOnSweeps(options: WorkOptions, env: Pick<Env, 'timers'>): Promise<void> {
  const { isStopped, onRefused } = options;
  const client = await connectSweeps(options.url, 'trimtab worker');
  const known = new Map<string, MarketData>();
  const refused = new Set<string>();
  const loaded = new Map<string, string>();
  try {
    while (!isStopped()) {
      const claim = await claimNext(client, refused);
      if (claim === null) {
        if (options.exitWhenDone && !(await isAnyLeft(client, refused))) return;
        await new Promise<void>((resolve) => void env.timers.after(LOOK_MS, resolve));
        continue;
      }
      try {
        const strange = otherVersion(claim);
        if (strange !== null) throw new Error(strange);
        const plan = { ...claim.plan, config: options.config ?? claim.plan.config };
        const data = known.get(claim.sweep) ?? (await loadPlanData(plan, loaded));
        known.set(claim.sweep, data);
        const result = await runPoint(plan, claim.job, data);
        await finish(client, claim, result, options.worker);
        options.onResult(result);
      } catch (error) {
        refused.add(claim.sweep);
        onRefused(claim.sweep, reasonOf(error));
        await client.query({ text: 'ROLLBACK' });
      }
    }
  } finally {
    await client.end();
  }
}

/** The first free job, locked until the transaction ends; null where none is free. */
async function claimNext(client: PgClient, refused: ReadonlySet<string>): Promise<Claim | null> {
  await client.query({ text: 'BEGIN' });
  const { rows } = await client.query({
    text: `SELECT j.sweep, j.job, s.plan FROM trimtab.sweep_jobs j
      JOIN trimtab.sweeps s ON s.id = j.sweep
      WHERE j.result IS NULL AND NOT j.sweep = ANY($1)
      ORDER BY s.created, j.sweep, j.index LIMIT 1 FOR UPDATE OF j SKIP LOCKED`,
    values: [[...refused]],
  });
  if (rows[0] !== undefined) return rows[0] as unknown as Claim;
  await client.query({ text: 'ROLLBACK' });
  return null;
}

/** Free ones, and those that other workers compute and may yet leave. */
async function isAnyLeft(client: PgClient, refused: ReadonlySet<string>): Promise<boolean> {
  const { rows } = await client.query({
    text: `SELECT 1 FROM trimtab.sweep_jobs
      WHERE result IS NULL AND NOT sweep = ANY($1) LIMIT 1`,
    values: [[...refused]],
  });
  return rows.length > 0;
}

async function finish(
  client: PgClient,
  { sweep, job }: Claim,
  result: PointResult,
  worker: string,
): Promise<void> {
  await client.query({
    text: `UPDATE trimtab.sweep_jobs SET result = $3, worker = $4, finished = clock_timestamp()
      WHERE sweep = $1 AND index = $2 AND result IS NULL`,
    values: [sweep, job.index, JSON.stringify(result), worker],
  });
  await client.query({ text: 'COMMIT' });
}
