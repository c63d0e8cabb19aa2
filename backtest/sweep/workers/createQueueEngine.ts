import { reasonOf, type Env } from '../../../src/env/index.ts';
import type { SweepEngine } from '../SweepEngine.ts';
import { collectResults } from './collectResults.ts';
import type { SweepQueue } from './SweepQueue.ts';

export interface QueueEngineOptions {
  queue: SweepQueue;
  env: Pick<Env, 'timers' | 'log'>;
  /** The sweep's identity, and its plan as workers check it. */
  id: string;
  signed: string;
}

/**
 * Gives batches of points to the workers of a queue, on any machine, and collects their results. It computes
 * nothing itself. A sweep whose results have been delivered is removed when the last process that waits for
 * it closes it, and one for which nobody has waited for a week by the next sweep.
 *
 * @throws what the queue refuses, and for a point with two results
 */
export async function createQueueEngine(options: QueueEngineOptions): Promise<SweepEngine> {
  const { queue, id, signed, env } = options;
  let isHandedOver = false;
  const begin = async (): Promise<void> => {
    await queue.begin(id, signed);
    for (const sweep of await queue.abandoned()) await queue.remove(sweep);
  };
  await queue.attempt(begin).catch(async (error: unknown) => {
    await queue.close();
    throw error;
  });
  return {
    async run(running) {
      isHandedOver = false;
      await collectResults({ ...options, ...running });
      // A disk that is full now leaves the results where they are.
      running.flush?.();
      isHandedOver = true;
    },
    async close() {
      // Nobody waits here any more: the others, if they end now, see that too.
      await queue.stopWaiting();
      try {
        if (isHandedOver && !(await queue.waited()).has(id)) await queue.remove(id);
      } catch (error) {
        env.log.warn('The sweep is left in its database', { reason: reasonOf(error) });
      }
      await queue.close();
    },
  };
}
