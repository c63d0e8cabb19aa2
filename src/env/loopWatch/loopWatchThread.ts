/** The program of the thread that watches the event loop of the main one. */
import { appendFileSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import {
  describeBlock,
  describeEnd,
  RETURNED,
  toLogLine,
  toText,
  waitsForWorker,
  type LoopNotice,
} from './describeBlock.ts';
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
  if (isReported) write(RETURNED);
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

/** The streams of `process` would go by way of the blocked thread, as would the log. */
function write(notice: LoopNotice): void {
  const time = Date.now();
  const { logFile } = watch;
  attempt(() => void writeSync(2, toText(watch, notice, time)));
  if (logFile !== undefined)
    attempt(() => appendFileSync(logFile, toLogLine(notice, time), { mode: 0o600 }));
}

function attempt(writing: () => void): void {
  try {
    writing();
  } catch {
    // Nobody reads it, or the disk is full.
  }
}
