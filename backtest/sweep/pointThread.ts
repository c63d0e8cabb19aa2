import { parentPort, workerData } from 'node:worker_threads';
import { createLiveEnv } from '../../src/env/index.ts';
import type { ComputedPoint, PointWork } from './createPointThreads.ts';
import { runPoint } from './runPoint.ts';
import type { SweepJob } from './SweepPlan.ts';

/** A thread of a worker: computes the points that it is sent, one after the other. */
const port = parentPort!;
const { plan, data } = workerData as PointWork;
const { clock } = createLiveEnv();
port.on('message', async (job: SweepJob) => {
  const [began, before] = [clock.monotonicNow(), process.threadCpuUsage()];
  const result = await runPoint(plan, job, data);
  const { user, system } = process.threadCpuUsage(before);
  const ms = clock.monotonicNow() - began;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage({ result, ms, cpuMs: (user + system) / 1_000 } satisfies ComputedPoint);
});
