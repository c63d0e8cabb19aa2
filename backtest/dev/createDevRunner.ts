import { extname } from 'node:path';
import { openThread, type Cancel, type Thread, type Timers } from '../../src/env/index.ts';
import type { DevMessage, DevSettings } from './DevMessage.ts';

/** Runs of one thread: what a module leaves in memory when its file has changed is freed with the thread. */
const RUNS_A_THREAD = 20;
/** A run that does not end by itself this long after a newer one was requested is in a loop of the plugin. */
const STUCK_MS = 1_000;
const MEMORY_MB = 4_096;

const PROGRAM = new URL(
  `./devThread${extname(new URL(import.meta.url).pathname)}`,
  import.meta.url,
);

export interface DevRunner {
  /** Runs the files as they are now; a run that is under way is aborted. */
  run(run: number): void;
  close(): void;
}

/** The thread waits for its turn after very many messages. */
type Sync = { kind: 'sync' };

/** A thread with its state: the engine has compiled its code, its bars are in memory. */
interface Slot {
  thread: Thread;
  newest: Int32Array;
  /** Runs that ended in it. */
  runs: number;
  /** The runs that it was given and that have not ended; it does the first of them. */
  given: number[];
  hasEnded: boolean;
}

/**
 * Runs backtests in a thread, so that this one keeps watching and serving. Each {@link RUNS_A_THREAD} runs a second
 * thread takes over, after it has done the last run as well, so that its first save is as fast as any other.
 */
export function createDevRunner(options: {
  settings: DevSettings;
  timers: Timers;
  onMessage(message: DevMessage): void;
}): DevRunner {
  const { settings, timers, onMessage } = options;
  let newestRun = 0;
  let current = open();
  let next: Slot | undefined;
  let stuck: Cancel | undefined;

  function open(): Slot {
    const newest = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const slot: Slot = { thread: undefined!, newest, runs: 0, given: [], hasEnded: false };
    slot.thread = openThread(PROGRAM, {
      name: 'trimtab dev',
      data: { settings, newest },
      memoryMb: MEMORY_MB,
      listener: {
        onMessage: (message) => take(slot, message as DevMessage | Sync),
        onEnd: (reason) => onEnd(slot, reason),
      },
    });
    return slot;
  }

  function start(slot: Slot, run: number): void {
    Atomics.store(slot.newest, 0, run);
    slot.given.push(run);
    slot.thread.post({ run });
  }

  function take(slot: Slot, message: DevMessage | Sync): void {
    if (message.kind === 'sync') return slot.thread.answer(undefined);
    const { kind, run } = message;
    if (slot === current && run === newestRun) onMessage(message);
    if (kind === 'file' || kind === 'figures') return;
    slot.runs += 1;
    if (slot === current) stuck?.();
    slot.given = slot.given.filter((each) => each !== run);
    if (kind === 'fault' && message.endsThread === true) return replace(slot);
    if (slot.given.length > 0) return;
    if (slot === current && slot.runs >= RUNS_A_THREAD && next === undefined) {
      next = open();
      start(next, run);
    }
  }

  /** What it was given beside the run that ended it is done by another thread. */
  function replace(slot: Slot): void {
    slot.thread.terminate();
    if (slot === next) next = undefined;
    if (slot !== current) return;
    current = open();
    const left = slot.given.at(-1);
    if (left !== undefined) start(current, left);
  }

  function onEnd(slot: Slot, reason: string): void {
    slot.hasEnded = true;
    if (slot === next) next = undefined;
    // One that ends with nothing to do can't start here: the next would end as well, and the next.
    const run = slot.given.shift();
    if (slot !== current || run === undefined) return;
    replace(slot);
    if (run === newestRun) onMessage({ kind: 'fault', run, text: reason });
  }

  /** The plugin's loop can't be left in any other way. */
  function replaceStuck(slot: Slot, run: number): void {
    if (slot !== current || !slot.given.includes(run)) return;
    slot.thread.terminate();
    current = open();
    start(current, run);
  }

  return {
    run(run) {
      newestRun = run;
      stuck?.();
      if (next !== undefined && next.given.length === 0) {
        current.thread.terminate();
        current = next;
        next = undefined;
      }
      if (current.hasEnded) current = open();
      const isBusy = current.given.length > 0;
      start(current, run);
      const slot = current;
      if (isBusy) stuck = timers.after(STUCK_MS, () => replaceStuck(slot, run));
    },
    close() {
      stuck?.();
      current.thread.terminate();
      next?.thread.terminate();
    },
  };
}
