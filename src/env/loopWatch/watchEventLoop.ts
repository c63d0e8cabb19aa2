import { closeSync } from 'node:fs';
import { url as debuggerUrl } from 'node:inspector';
import { extname } from 'node:path';
import { isMainThread, Worker } from 'node:worker_threads';
import {
  BEATS,
  HOOKS,
  IS_DEBUGGED,
  type LoopHooks,
  type LoopWatch,
  type WatchedPlugin,
} from './LoopWatch.ts';

export interface LoopWatchOptions {
  /** The bot's name, before the watcher's lines. */
  label: string;
  plugins: readonly WatchedPlugin[];
  /** Seconds without a turn of the event loop after which a line is written and signals are released. */
  reportAfterSeconds: number;
  /** Seconds after which the process ends with `exitCode`; null for never. */
  endAfterSeconds: number | null;
  exitCode: number;
  /** The log's file, which gets the watcher's lines too; they always go to the standard error. */
  logFile?: string | undefined;
  /** Gives signals their default effect, which is the end of the process. Called while the loop is blocked. */
  onBlocked(): void;
  /** The event loop turns again. */
  onBack(): void;
  /** Milliseconds between two looks; 1,000 unless tests shorten it. */
  tickMs?: number;
}

/**
 * Watches this process's event loop from a second thread. A loop that does not turn runs no handler of a signal,
 * so the watcher interrupts it through the engine's inspector: it reads where it is, and releases the signals.
 * In between, the watched thread pays one timer a half second.
 *
 * @returns to stop watching
 */
export function watchEventLoop(options: LoopWatchOptions): () => void {
  // Signals and the process belong to the main thread; under a debugger a pause is what the user wants.
  if (!isMainThread || debuggerUrl() !== undefined) return () => {};
  const { label, plugins, reportAfterSeconds, endAfterSeconds, exitCode, tickMs = 1_000 } = options;
  const shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  let isBlocked = false;
  const beat = (): void => {
    Atomics.add(shared, BEATS, 1);
    Atomics.store(shared, IS_DEBUGGED, debuggerUrl() === undefined ? 0 : 1);
    if (!isBlocked) return;
    isBlocked = false;
    options.onBack();
  };
  const hooks: LoopHooks = {
    releaseSignals() {
      if (isBlocked) return;
      isBlocked = true;
      options.onBlocked();
    },
    exit() {
      // The engine would write a line about a debugger that it waits for.
      closeSync(2);
      (process as unknown as { reallyExit(code: number): void }).reallyExit(exitCode);
    },
  };
  Reflect.set(globalThis, HOOKS, hooks);
  const timer = setInterval(beat, tickMs / 2);
  timer.unref();
  const ticks = (seconds: number): number => Math.ceil((seconds * 1_000) / tickMs);
  const watch: LoopWatch = {
    label,
    plugins,
    shared,
    tickMs,
    reportAfter: ticks(reportAfterSeconds),
    endAfter: endAfterSeconds === null ? null : ticks(endAfterSeconds),
    exitCode,
    logFile: options.logFile,
  };
  const ending = extname(new URL(import.meta.url).pathname);
  const watcher = new Worker(new URL(`./loopWatchThread${ending}`, import.meta.url), {
    name: 'watch the event loop',
    workerData: watch,
    execArgv: ending === '.ts' ? ['--conditions=trimtab-source'] : [],
    env: {},
  });
  // Without the watcher the bot still runs, as it would without this.
  watcher.on('error', () => {});
  watcher.unref();
  return () => {
    clearInterval(timer);
    Reflect.deleteProperty(globalThis, HOOKS);
    void watcher.terminate();
  };
}
