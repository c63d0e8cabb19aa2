import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadWork } from './createThreadEngine.ts';
import { runPoint } from './runPoint.ts';

/** A thread of a sweep: takes the next job until there is none. */
const port = parentPort!;
const { plan, jobs, data, next } = workerData as ThreadWork;
for (;;) {
  const job = jobs[Atomics.add(next, 0, 1)];
  if (job === undefined) break;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage(await runPoint(plan, job, data));
}
