/**
 * Wall time and monotonic time, both in milliseconds. Wall time may jump; timeouts and stall detection use the
 * monotonic one.
 */
export interface Clock {
  wallNow(): number;
  monotonicNow(): number;
}

/** Undoes a scheduled task; calling it again, or after the task ran, does nothing. */
export type Cancel = () => void;

/** Timers of the environment: the only way to schedule a call. */
export interface Timers {
  after(delayMs: number, run: () => void): Cancel;
}

/**
 * Market time, on which a strategy's decisions are based (conventions, *Two clocks*). Live it is wall time plus
 * the learned offset; on a replay it is the time of the last frame.
 */
export interface MarketClock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Runs a task when market time reaches `time`; ties run in the order they were scheduled. A task is told whether it
   * runs late: at its own time, while it is known that market time has gone on, as after a lost connection.
   */
  at(time: number, run: (isLate?: boolean) => void): Cancel;
}
