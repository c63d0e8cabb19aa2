import { reasonOf } from '../../../src/env/index.ts';
import type { SweepEngine } from '../SweepEngine.ts';
import { collectResults } from './collectResults.ts';
import type { PatienceOptions } from './createPatience.ts';
import { openQueue } from './openQueue.ts';

/** Who waits supervises, since workers may be very many. */
const OFTEN = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };
/** Three attempts at a batch, or at a point alone. A worker without a heartbeat loses its batch. */
const BATCHES = { retryLimit: 2, heartbeatSeconds: 20, expireInSeconds: 86_400 };

export interface EngineOptions extends PatienceOptions {
  /** The sweep's identity, and its plan as workers check it. */
  id: string;
  signed: string;
}

/**
 * Puts batches of points into pg-boss on PostgreSQL and collects the results of workers on any machine. It
 * computes nothing itself. A sweep whose results have been delivered is removed when the last process that
 * waits for it closes it, and one for which nobody has waited for a week by the next sweep.
 *
 * @throws JournalFault `unreachable` at the start; later any refusal of the database, and for a point with
 *   two results
 */
export async function createPostgresEngine(options: EngineOptions): Promise<SweepEngine> {
  const { id, signed, env } = options;
  const queue = await openQueue(options, { ...OFTEN, instanceName: id });
  const { boss, store, attempt } = queue;
  let isHandedOver = false;
  await attempt(async () => {
    await boss.createQueue(id, BATCHES);
    await store.begin(id, signed);
    // In this order: who begins is known first.
    const sweeps = await store.sweeps();
    const { known } = await queue.waiting();
    for (const sweep of sweeps) if (!known.has(sweep)) await queue.remove(sweep);
  });
  return {
    async run(running) {
      isHandedOver = false;
      await collectResults({ ...options, ...running, queue });
      isHandedOver = true;
    },
    async close() {
      // Nobody waits here any more: the others, if they end now, see that too.
      await boss.stop({ close: false, timeout: 1_000 }).catch(() => {});
      try {
        const { waited } = await queue.waiting();
        if (isHandedOver && !waited.has(id)) await queue.remove(id);
      } catch (error) {
        env.log.warn('The sweep is left in its database', { reason: reasonOf(error) });
      }
      await boss.stop().catch(() => {});
    },
  };
}
