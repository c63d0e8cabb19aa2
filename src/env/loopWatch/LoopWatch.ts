/** Indexes in {@link LoopWatch.shared}. */
export const BEATS = 0;
export const IS_DEBUGGED = 1;

/** Name under which the watched thread offers {@link LoopHooks} on `globalThis`. */
export const HOOKS = 'trimtab.loopHooks';

/** What the watcher calls in the watched thread, in the middle of whatever blocks it. */
export interface LoopHooks {
  /** Signals end the process at once, until the loop beats again. */
  releaseSignals(): void;
  /** Ends the process with {@link LoopWatch.exitCode}. */
  exit(): void;
}

/** A plugin that runs in the watched thread, by its instance's name and what the address of its file contains. */
export interface WatchedPlugin {
  instance: string;
  marks: readonly string[];
}

/** What the watcher's thread is started with. */
export interface LoopWatch {
  /** The bot's name, before its lines. */
  label: string;
  plugins: readonly WatchedPlugin[];
  /** Beats so far, and whether a debugger may pause the thread. */
  shared: Int32Array<SharedArrayBuffer>;
  /** Milliseconds between two looks at the beats. */
  tickMs: number;
  /** Looks without a beat after which a line is written and signals are released. */
  reportAfter: number;
  /** Looks without a beat after which the process ends; null for never. */
  endAfter: number | null;
  exitCode: number;
  /** The log's file, which gets what is written as a line too. */
  logFile?: string | undefined;
}
