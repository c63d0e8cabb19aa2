/** The program of the thread that watches the event loop of the main one. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { describeBlock, describeEnd, describeReturn, waitsForWorker } from './describeBlock.ts';
import { interruptMain } from './interruptMain.ts';
import { BEATS, IS_DEBUGGED, type LoopWatch } from './LoopWatch.ts';

const watch = workerData as LoopWatch;
const { shared, reportAfter, endAfter } = watch;
let seen = -1;
/** Looks without a beat. Time does not count: a machine that sleeps stops both threads. */
let silent = 0;
let isReported = false;
/** By its last report. */
let canBeInterrupted = true;
const looks = setInterval(look, watch.tickMs);

function look(): void {
  const beats = Atomics.load(shared, BEATS);
  if (beats !== seen || Atomics.load(shared, IS_DEBUGGED) === 1) return beginAnew(beats);
  silent += 1;
  if (silent === reportAfter) void report();
  if (isReported && endAfter !== null && silent >= endAfter) void end();
}

function beginAnew(beats: number): void {
  if (isReported) write(describeReturn(watch));
  isReported = false;
  seen = beats;
  silent = 0;
}

async function report(): Promise<void> {
  let waits = false;
  const frames = await interrupted((found) => {
    waits = waitsForWorker(found);
    return waits ? undefined : 'releaseSignals';
  });
  // It may have come back in between.
  if (Atomics.load(shared, BEATS) !== seen) return;
  if (waits) {
    silent = 0;
    return;
  }
  isReported = true;
  canBeInterrupted = frames !== undefined;
  write(describeBlock(watch, frames));
}

async function end(): Promise<void> {
  clearInterval(looks);
  write(describeEnd(watch, canBeInterrupted));
  await interrupted(() => 'exit');
  // Still here: it is in a call that can't be interrupted.
  process.kill(process.pid, 'SIGKILL');
}

/** Undefined, too, where this Node has no inspector, or does not permit it. */
async function interrupted(
  ...args: Parameters<typeof interruptMain>
): ReturnType<typeof interruptMain> {
  try {
    return await interruptMain(...args);
  } catch {
    return undefined;
  }
}

/** The streams of `process` would go by way of the blocked thread. */
function write(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // Nobody reads it.
  }
}
