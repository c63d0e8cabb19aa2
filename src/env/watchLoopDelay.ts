import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;

/** Watches how late the timers of this process fire. */
export interface LoopDelay {
  /** The longest delay since the last call, or since the start, seconds. */
  takeLongest(): number;
  close(): void;
}

/** In between, it costs a timer of the engine's own every 20 ms, and no call of JavaScript. */
export function watchLoopDelay(): LoopDelay {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return {
    takeLongest() {
      const longestMs = delays.count === 0 ? 0 : delays.max / 1e6;
      delays.reset();
      // What is measured is the time between two firings.
      return Math.max(0, longestMs - RESOLUTION_MS) / 1_000;
    },
    close: () => void delays.disable(),
  };
}
