import { withCode } from '../../../src/contract/index.ts';
import { createUuid } from '../../../src/env/createUuid.ts';
import { pause, reasonOf } from '../../../src/env/index.ts';
import type { PointResult } from '../PointResult.ts';
import type { RunJobs, SweepEngine } from '../SweepEngine.ts';
import type { SweepJob } from '../SweepPlan.ts';
import { openQueue, type QueueOptions } from './openQueue.ts';

const [LOOK_MS, RENEW_MS, ROWS] = [500, 5_000, 1_000];
/** Long against the cost of giving out a batch, short against the loss when its worker dies. */
const [BATCH_MS, MOST_POINTS, SAMPLE] = [4_000, 500, 64];
/** A worker without a heartbeat loses its batch. Workers themselves count attempts, so that they end with a fault. */
const BATCHES = { heartbeatSeconds: 15, expireInSeconds: 86_400, retryLimit: 1_000 };

export interface EngineOptions extends QueueOptions {
  /** The sweep's identity, and its plan as workers check it. */
  id: string;
  signed: string;
}

/**
 * Puts batches of points into pg-boss on PostgreSQL and collects the results of workers on any machine. It
 * computes nothing itself. A sweep whose results have been delivered is removed when it is closed.
 *
 * @throws JournalFault `unreachable` at the start; later any refusal of the database, and for a point with
 *   two results
 */
export async function createPostgresEngine(options: EngineOptions): Promise<SweepEngine> {
  const { env, id } = options;
  const [name, waiter] = [`sweep-${id}`, createUuid()];
  // Who waits supervises; workers may be very many.
  const often = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };
  const { boss, query, attempt } = await openQueue(options, often);
  let [isHandedOver, isClosed] = [false, false];
  const renew = async (): Promise<void> => {
    const text = `INSERT INTO trimtab.sweep_waits VALUES ($1, $2, $3, now() + interval '30 s')
      ON CONFLICT (sweep, waiter) DO UPDATE SET until = excluded.until`;
    await query(text, [id, waiter, options.signed]);
  };
  const isAlone = async (): Promise<boolean> => {
    const text = `SELECT FROM trimtab.sweep_waits WHERE sweep = $1 AND waiter <> $2 AND until > now()`;
    return (await query(text, [id, waiter])).length === 0;
  };
  const put = async (jobs: readonly SweepJob[], times: readonly number[]): Promise<void> => {
    const usual = times.toSorted((a, b) => a - b)[times.length >> 1] ?? BATCH_MS;
    const size = Math.min(MOST_POINTS, Math.ceil(BATCH_MS / Math.max(usual, 1)));
    const count = Math.ceil(jobs.length / size);
    // Every so many-th point: where one side of the grid takes longer, batches still take as long.
    const batches = Array.from({ length: count }, () => ({ data: { jobs: [] as SweepJob[] } }));
    jobs.forEach((job, at) => batches[at % count]!.data.jobs.push(job));
    await boss.createQueue(name, BATCHES);
    while (batches.length > 0) await boss.insert(name, batches.splice(0, ROWS / 10));
  };
  const remove = async (sweep: unknown): Promise<void> => {
    await boss.deleteQueue(`sweep-${String(sweep)}`);
    const some = `SELECT point FROM trimtab.sweep_results WHERE sweep = $1 LIMIT ${ROWS}`;
    const text = `DELETE FROM trimtab.sweep_results WHERE sweep = $1 AND point IN (${some}) RETURNING 1`;
    while ((await query(text, [sweep])).length > 0);
    await query('DELETE FROM trimtab.sweep_waits WHERE sweep = $1', [sweep]);
  };
  await attempt(async () => {
    await renew();
    const old = `SELECT sweep FROM trimtab.sweep_waits GROUP BY 1 HAVING max(until) < now() - interval '1 day'`;
    for (const { sweep } of await query(old, [])) await remove(sweep);
  });
  void (async () => {
    for (; !isClosed; await pause(env.timers, RENEW_MS)) await renew().catch(() => {});
  })();

  return {
    async run({ jobs, onResult, isStopped }: RunJobs) {
      isHandedOver = false;
      const missing = new Map(jobs.map((job) => [job.index, job]));
      // Points from all over the grid run one by one first, and their times size the batches of the others.
      const sample = new Set(jobs.filter((_, at) => at % Math.ceil(jobs.length / SAMPLE) === 0));
      const times: number[] = [];
      let [seq, stage] = [0, 0];
      const look = async () => {
        if (isStopped() && (await isAlone())) await boss.deleteQueuedJobs(name).catch(() => {});
        // What is complete has its results: if nothing is open, what is missing was lost, or never put.
        const open = `SELECT FROM trimtab_jobs.job WHERE name = $1 AND state < 'completed' LIMIT 1`;
        const isIdle = (await query(open, [name])).length === 0;
        const text = `SELECT point, result, worker, ms, cpu_ms, seq FROM trimtab.sweep_results WHERE sweep = $1
          AND (seq > $2 OR point = ANY($3)) ORDER BY seq LIMIT ${ROWS}`;
        const values = [id, seq, isIdle ? [...missing.keys()] : []];
        return { isIdle, rows: await query(text, values) };
      };
      for (;;) {
        const { isIdle, rows } = await attempt(look);
        for (const row of rows) {
          seq = Math.max(seq, Number(row['seq']));
          if (!missing.delete(Number(row['point']))) continue;
          const [worker, ms, cpuMs] = [
            String(row['worker']),
            Number(row['ms']),
            Number(row['cpu_ms']),
          ];
          times.push(ms);
          const cost = worker === '' ? undefined : { worker, ms, cpuMs };
          onResult(JSON.parse(String(row['result'])) as PointResult, cost);
        }
        if (rows.length === ROWS) continue;
        isHandedOver = missing.size === 0 || (isIdle && isStopped());
        if (isHandedOver) break;
        if (isIdle || (stage === 1 && times.length * 2 >= sample.size)) {
          const isRest = isIdle && stage > 0;
          const left = [...missing.values()];
          const some = left.filter((job) => isRest || sample.has(job) === (stage === 0));
          await attempt(() => put(some, times));
          stage++;
        }
        await pause(env.timers, LOOK_MS);
      }
      const text = `SELECT point FROM trimtab.sweep_results WHERE sweep = $1 AND other IS NOT NULL`;
      const [twice] = await attempt(() => query(text, [id]));
      if (twice !== undefined) throw contradiction(jobs, twice['point']);
    },
    async close() {
      isClosed = true;
      const text = `UPDATE trimtab.sweep_waits SET until = now() WHERE sweep = $1 AND waiter = $2`;
      try {
        await query(text, [id, waiter]);
        if (isHandedOver && (await isAlone())) await remove(id);
      } catch (error) {
        env.log.warn('The sweep is left in its database', { reason: reasonOf(error) });
      }
      await boss.stop({ timeout: 1_000 }).catch(() => {});
    },
  };
}

function contradiction(jobs: readonly SweepJob[], point: unknown): Error {
  const values = jobs.find(({ index }) => index === point)?.values.join(', ');
  const error = new Error(
    `Two workers computed point ${Number(point) + 1} (${values}) differently.\n` +
      "  Its plugin decides by chance or the machine's clock: run trimtab check.",
  );
  return withCode('TRIMTAB_SWEEP_UNSTEADY', error);
}
