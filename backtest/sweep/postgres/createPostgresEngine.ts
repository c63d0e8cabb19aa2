import { pause, reasonOf, type Env } from '../../../src/env/index.ts';
import type { PointResult } from '../PointResult.ts';
import type { RunJobs, SweepEngine } from '../SweepEngine.ts';
import { planId, type SweepJob, type SweepPlan } from '../SweepPlan.ts';
import { openSweepDatabase } from './openSweepDatabase.ts';
import { removeAbandoned, removeSweep } from './removeSweep.ts';
import { ALONE, BACK_MS, JOB_LOCK, MOST_ATTEMPTS, sweepLock } from './sweepTables.ts';

const LOOK_MS = 500;
/** A million in one statement would take longer than a statement may. */
const JOBS_A_STATEMENT = 10_000;
const GIVEN_UP = `${MOST_ATTEMPTS} workers ended while they computed it: its plugin may end the process, or take its memory`;

/**
 * Puts jobs into PostgreSQL and collects the results of workers on any machine. It computes nothing
 * itself; existing jobs, from an earlier start, stay as they are. A point that repeatedly ended its
 * worker is given up as a fault; when the user stops, the jobs that no worker is computing are removed. A
 * sweep whose results have all been delivered is removed when it is closed.
 *
 * @throws JournalFault `unreachable` at the start; later any refusal of the database
 */
export async function createPostgresEngine(
  plan: SweepPlan,
  options: { url: string; env: Pick<Env, 'clock' | 'timers' | 'log'>; isStopped(): boolean },
): Promise<SweepEngine> {
  const { env } = options;
  const id = planId(plan);
  const hold = () => ({ text: `SELECT pg_advisory_lock_shared(${sweepLock('$1')})`, values: [id] });
  /**
   * Another process may have removed the jobs meanwhile: one that waited for the same sweep, or the next
   * sweep.
   */
  let wasAway = false;
  const onBack = (): void => {
    wasAway = true;
  };
  const database = await openSweepDatabase({ ...options, name: 'trimtab sweep', hold, onBack });
  /** Whether the user has all results: only then may the sweep be removed. */
  let isHandedOver = false;
  await removeAbandoned(database, id);

  const put = async (jobs: readonly SweepJob[]): Promise<void> => {
    await database.query({
      text: 'INSERT INTO trimtab.sweeps (id, plan) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [id, JSON.stringify(plan)],
    });
    for (let from = 0; from < jobs.length; from += JOBS_A_STATEMENT) {
      await database.query({
        text: `INSERT INTO trimtab.sweep_jobs (sweep, index, job)
          SELECT $1, (job->>'index')::int, job FROM jsonb_array_elements($2::jsonb) AS job
          ON CONFLICT DO NOTHING`,
        values: [id, JSON.stringify(jobs.slice(from, from + JOBS_A_STATEMENT))],
      });
    }
  };
  const left = `SELECT index FROM (SELECT sweep, index FROM trimtab.sweep_jobs
    WHERE sweep = $1 AND result IS NULL AND attempts >= ${MOST_ATTEMPTS} OFFSET 0) AS begun
    WHERE pg_try_advisory_xact_lock(${JOB_LOCK})`;
  /** Points whose last worker is gone as well, with the time; they are not started again. */
  let leftSince = new Map<unknown, number>();
  const giveUp = async (): Promise<void> => {
    const { rows } = await database.query({ text: left, values: [id] });
    const now = env.clock.monotonicNow();
    leftSince = new Map(rows.map(({ index }) => [index, leftSince.get(index) ?? now]));
    const given = [...leftSince].filter(([, since]) => now - since >= BACK_MS);
    if (given.length === 0) return;
    await database.query({
      text: `UPDATE trimtab.sweep_jobs
        SET result = jsonb_build_object('index', index, 'fault', $2::text), finished = clock_timestamp()
        WHERE sweep = $1 AND result IS NULL AND index = ANY($3) AND index IN (${left})`,
      values: [id, GIVEN_UP, given.map(([index]) => index)],
    });
  };
  const waitNoLonger = () =>
    database.query({
      text: `SELECT pg_advisory_unlock_shared(${sweepLock('$1')})`,
      values: [id],
    });
  /**
   * Removes the jobs that no worker is computing. Jobs for which another process also waits are left to
   * it.
   *
   * @returns whether workers still compute something that this process alone waits for
   */
  const withdraw = async (): Promise<boolean> => {
    const values = [id];
    await waitNoLonger();
    const { rows } = await database.query({
      text: `WITH ${ALONE},
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
      isHandedOver = false;
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
        isHandedOver = missing.size === 0 || isOver;
        if (isHandedOver) return;
        await pause(env.timers, LOOK_MS);
      }
    },
    async close() {
      try {
        if (!isHandedOver) return;
        await waitNoLonger();
        await removeSweep(database, id);
      } catch (error) {
        env.log.warn('The sweep is left in its database', { reason: reasonOf(error) });
      } finally {
        await database.close();
      }
    },
  };
}
