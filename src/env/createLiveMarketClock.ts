import type { Env } from './Env.ts';
import type { Cancel, MarketClock } from './Clock.ts';

/**
 * The machine's timers stand still while it is suspended, and the wall clock goes on: what fell due meanwhile runs so soon
 * after it wakes, and what falls due later is not late (`LATE_MS`).
 */
const LONGEST_LOOK_MS = 5_000;

/**
 * Market time of a live venue: wall time plus the learned offset of the service's clock.
 *
 * @param offsetMs current estimate of server time − wall time, in milliseconds
 */
export function createLiveMarketClock(
  env: Pick<Env, 'clock' | 'timers'>,
  offsetMs: () => number = () => 0,
): MarketClock {
  const now = (): number => env.clock.wallNow() + offsetMs();
  return {
    now,
    at(time, run): Cancel {
      let cancelTimer: Cancel = () => {};
      const wait = (): void => {
        const left = Math.min(Math.max(0, time - now()), LONGEST_LOOK_MS);
        cancelTimer = env.timers.after(left, () => (time <= now() ? run() : wait()));
      };
      wait();
      return () => cancelTimer();
    },
  };
}
