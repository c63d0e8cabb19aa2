import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadWork } from './createThreadEngine.ts';
import { runPoint } from './runPoint.ts';

/** A thread of a sweep: takes the next job until there is none. */
const port = parentPort!;
const { plan, jobs, data, isFresh, next, at } = workerData as ThreadWork;
for (;;) {
  const position = Atomics.add(next, 0, 1);
  const job = jobs[position];
  if (job === undefined) break;
  Atomics.store(at, 0, position);
  const result = await runPoint(plan, job, data);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage(result);
  Atomics.store(at, 0, -1);
  if (isFresh) break;
}
// A timer or socket that a plugin left open would keep the thread, and with it the sweep, alive.
process.exit(0);
