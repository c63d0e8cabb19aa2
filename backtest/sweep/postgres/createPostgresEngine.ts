import { pause, type Env } from '../../../src/env/index.ts';
import type { PointResult } from '../PointResult.ts';
import type { RunJobs, SweepEngine } from '../SweepEngine.ts';
import { planId, type SweepJob, type SweepPlan } from '../SweepPlan.ts';
import { openSweepDatabase } from './openSweepDatabase.ts';
import { JOB_LOCK, MOST_ATTEMPTS, SWEEP_LOCK } from './sweepTables.ts';

const LOOK_MS = 500;
/** A worker whose connection broke is at its point again by then. */
const GIVE_UP_MS = 10_000;
const GIVEN_UP = `${MOST_ATTEMPTS} workers ended while they computed it: its plugin may end the process, or take its memory`;

/**
 * Puts jobs into PostgreSQL and collects what workers on any machine make of them. It computes nothing
 * itself; jobs that are there already, from an earlier start, stay as they are. A point that ended one worker
 * after another is given up, as a fault; when the user stops, the jobs that no worker has in hand are taken out.
 *
 * @throws JournalFault `unreachable` at the start; later what the database refuses
 */
export async function createPostgresEngine(
  plan: SweepPlan,
  options: { url: string; env: Pick<Env, 'clock' | 'timers' | 'log'>; isStopped(): boolean },
): Promise<SweepEngine> {
  const { env } = options;
  const id = planId(plan);
  const hold = () => ({ text: `SELECT pg_advisory_lock_shared(${SWEEP_LOCK})`, values: [id] });
  /** Another process that waited for the same, and was stopped, may have taken the jobs out meanwhile. */
  let wasAway = false;
  const onBack = (): void => {
    wasAway = true;
  };
  const database = await openSweepDatabase({ ...options, name: 'trimtab sweep', hold, onBack });
  await database.query({
    text: 'INSERT INTO trimtab.sweeps (id, plan) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [id, JSON.stringify(plan)],
  });

  const put = (jobs: readonly SweepJob[]) =>
    database.query({
      text: `INSERT INTO trimtab.sweep_jobs (sweep, index, job)
        SELECT $1, (job->>'index')::int, job FROM jsonb_array_elements($2::jsonb) AS job
        ON CONFLICT DO NOTHING`,
      values: [id, JSON.stringify(jobs)],
    });
  const left = `SELECT index FROM (SELECT sweep, index FROM trimtab.sweep_jobs
    WHERE sweep = $1 AND result IS NULL AND attempts >= ${MOST_ATTEMPTS} OFFSET 0) AS begun
    WHERE pg_try_advisory_xact_lock(${JOB_LOCK})`;
  /** Points whose last worker is gone as well, since when; nobody begins them again. */
  let leftSince = new Map<unknown, number>();
  const giveUp = async (): Promise<void> => {
    const { rows } = await database.query({ text: left, values: [id] });
    const now = env.clock.monotonicNow();
    leftSince = new Map(rows.map(({ index }) => [index, leftSince.get(index) ?? now]));
    const given = [...leftSince].filter(([, since]) => now - since >= GIVE_UP_MS);
    if (given.length === 0) return;
    await database.query({
      text: `UPDATE trimtab.sweep_jobs
        SET result = jsonb_build_object('index', index, 'fault', $2::text), finished = clock_timestamp()
        WHERE sweep = $1 AND result IS NULL AND index = ANY($3) AND index IN (${left})`,
      values: [id, GIVEN_UP, given.map(([index]) => index)],
    });
  };
  /**
   * Takes back what no worker has in hand. What another process waits for too is left to that one.
   *
   * @returns whether workers still compute something that this process alone waits for
   */
  const withdraw = async (): Promise<boolean> => {
    const values = [id];
    await database.query({ text: `SELECT pg_advisory_unlock_shared(${SWEEP_LOCK})`, values });
    const { rows } = await database.query({
      text: `WITH alone AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${SWEEP_LOCK}) AS yes),
        taken AS (DELETE FROM trimtab.sweep_jobs USING alone WHERE yes AND sweep = $1 AND result IS NULL
          AND CASE WHEN attempts = 0 THEN true ELSE pg_try_advisory_xact_lock(${JOB_LOCK}) END)
        SELECT 1 FROM alone WHERE yes`,
      values,
    });
    if (rows.length === 0) return false;
    const inHand = await database.query({
      text: 'SELECT 1 FROM trimtab.sweep_jobs WHERE sweep = $1 AND result IS NULL LIMIT 1',
      values,
    });
    return inHand.rows.length > 0;
  };
  const collect = async (missing: Set<number>): Promise<PointResult[]> => {
    const { rows } = await database.query({
      text: `SELECT result FROM trimtab.sweep_jobs
        WHERE sweep = $1 AND index = ANY($2) AND result IS NOT NULL ORDER BY finished, index`,
      values: [id, [...missing]],
    });
    return rows.map(({ result }) => result as PointResult);
  };

  return {
    async run({ jobs, onResult, isStopped }: RunJobs) {
      await put(jobs);
      const missing = new Set(jobs.map(({ index }) => index));
      for (;;) {
        if (wasAway) {
          wasAway = false;
          await put(jobs.filter(({ index }) => missing.has(index)));
        }
        await giveUp();
        const isOver = isStopped() && !(await withdraw());
        for (const result of await collect(missing)) {
          missing.delete(result.index);
          onResult(result);
        }
        if (missing.size === 0 || isOver) return;
        await pause(env.timers, LOOK_MS);
      }
    },
    close: () => database.close(),
  };
}
