import { parentPort, workerData } from 'node:worker_threads';
import type { PointWork } from './createPointThreads.ts';
import { runPoint } from './runPoint.ts';
import type { SweepJob } from './SweepPlan.ts';

/** A thread of a worker: computes the points that it is sent, one after the other. */
const port = parentPort!;
const { plan, data } = workerData as PointWork;
port.on('message', async (job: SweepJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage(await runPoint(plan, job, data));
});
