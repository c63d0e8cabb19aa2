import type { Env } from './Env.ts';
import type { Cancel, MarketClock } from './Clock.ts';

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
        const left = time - now();
        if (left <= 0) run();
        else cancelTimer = env.timers.after(left, wait);
      };
      cancelTimer = env.timers.after(Math.max(0, time - now()), wait);
      return () => cancelTimer();
    },
  };
}
