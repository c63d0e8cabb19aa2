import { reasonOf } from '../../../src/env/index.ts';
import type { SweepEngine } from '../SweepEngine.ts';
import { collectResults } from './collectResults.ts';
import type { PatienceOptions } from './createPatience.ts';
import { openQueue } from './openQueue.ts';

/** Who waits supervises, since workers may be very many. */
const OFTEN = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };

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
  let isHandedOver = false;
  await queue.attempt(async () => {
    await queue.begin(id, signed);
    for (const sweep of await queue.abandoned()) await queue.remove(sweep);
  });
  return {
    async run(running) {
      isHandedOver = false;
      await collectResults({ ...options, ...running, queue });
      isHandedOver = true;
    },
    async close() {
      // Nobody waits here any more: the others, if they end now, see that too.
      await queue.boss.stop({ close: false, timeout: 1_000 }).catch(() => {});
      try {
        if (isHandedOver && !(await queue.waited()).has(id)) await queue.remove(id);
      } catch (error) {
        env.log.warn('The sweep is left in its database', { reason: reasonOf(error) });
      }
      await queue.boss.stop().catch(() => {});
    },
  };
}
