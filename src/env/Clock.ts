/**
 * Wall time and monotonic time, both in milliseconds. Wall time may step; timeouts and stall
 * detection read the monotonic one.
 */
export interface Clock {
  wallNow(): number;
  monotonicNow(): number;
}

/** Undoes a scheduled task; calling it again, or after the task ran, does nothing. */
export type Cancel = () => void;

/** Timers of the environment: the only way to be called later. */
export interface Timers {
  after(delayMs: number, run: () => void): Cancel;
}

/**
 * Market time: what a strategy's decisions read (conventions, *Two clocks*). Live it is wall time
 * plus the learned offset; on a replay it is the time of the last frame.
 */
export interface MarketClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs a task when market time reaches `time`; ties run in the order they were scheduled. */
  at(time: number, run: () => void): Cancel;
}
