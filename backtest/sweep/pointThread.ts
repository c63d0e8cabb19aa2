import { parentPort, workerData } from 'node:worker_threads';
import { createLiveEnv } from '../../src/env/index.ts';
import { findCodeChange } from './findCodeChange.ts';
import type { ComputedPoint } from './createPointThreads.ts';
import { runPoint } from './runPoint.ts';
import type { SweepBench } from './SweepBench.ts';
import type { SweepJob } from './SweepPlan.ts';

/** A thread of a worker: computes the points that it is sent, one after the other. */
const port = parentPort!;
const bench = workerData as SweepBench;
const { clock } = createLiveEnv();
const change = await findCodeChange(bench);
async function compute(job: SweepJob): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  if (change !== null) return port.postMessage(change);
  const [began, before] = [clock.monotonicNow(), process.threadCpuUsage()];
  const result = await runPoint(bench, job);
  const { user, system } = process.threadCpuUsage(before);
  const ms = clock.monotonicNow() - began;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage({ result, ms, cpuMs: (user + system) / 1_000 } satisfies ComputedPoint);
}
port.on('message', (job: SweepJob) => void compute(job));
