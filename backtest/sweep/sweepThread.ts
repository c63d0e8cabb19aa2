import { parentPort, workerData } from 'node:worker_threads';
import { createLiveEnv } from '../../src/env/index.ts';
import { findCodeChange } from './findCodeChange.ts';
import type { ThreadResult, ThreadWork } from './createThreadEngine.ts';
import { unpackJob } from './packJobs.ts';
import { runPoint } from './runPoint.ts';

/** A thread of a sweep: takes the next job until there is none. */
const port = parentPort!;
const { bench, jobs, isFresh, next, at } = workerData as ThreadWork;
const { clock } = createLiveEnv();
const change = await findCodeChange(bench);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
if (change !== null) port.postMessage(change);
while (change === null) {
  const position = Atomics.add(next, 0, 1);
  const job = unpackJob(bench.plan.params, jobs, position);
  if (job === undefined) break;
  Atomics.store(at, 0, position);
  const [began, cpu] = [clock.monotonicNow(), process.threadCpuUsage()];
  const result = await runPoint(bench, job);
  const { user, system } = process.threadCpuUsage(cpu);
  const cost = { ms: clock.monotonicNow() - began, cpuMs: (user + system) / 1_000 };
  const message: ThreadResult = { result, cost };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage(message);
  Atomics.store(at, 0, -1);
  if (isFresh) break;
}
// A timer or socket that a plugin left open would keep the thread, and with it the sweep, alive.
process.exit(0);
