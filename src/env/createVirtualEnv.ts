import type { Env } from './Env.ts';
import { silentLog, type Log } from './Log.ts';
import { noMetrics } from './Metrics.ts';
import { createRandom } from './Random.ts';
import { TaskQueue } from './TaskQueue.ts';

/** An environment in virtual time: nothing happens until its queue is advanced. */
export interface VirtualEnv extends Env {
  queue: TaskQueue;
}

/** @param startTime epoch milliseconds at which wall time starts; monotonic time starts at 0 */
export function createVirtualEnv(
  options: { seed?: string | number; startTime?: number; log?: Log } = {},
): VirtualEnv {
  const startTime = options.startTime ?? 0;
  const queue = new TaskQueue(startTime);
  return {
    queue,
    clock: { wallNow: () => queue.now(), monotonicNow: () => queue.now() - startTime },
    timers: { after: (delayMs, run) => queue.at(queue.now() + Math.max(0, delayMs), run) },
    random: createRandom(options.seed ?? 0),
    log: options.log ?? silentLog,
    metrics: noMetrics,
  };
}
