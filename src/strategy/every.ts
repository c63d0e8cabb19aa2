import { Observable } from 'rxjs';
import type { Cancel, MarketClock } from '../env/index.ts';

/**
 * Ticks whenever market time reaches the next boundary.
 *
 * @param nextAfter the first boundary after a time, both epoch milliseconds
 */
export function every(
  clock: MarketClock,
  nextAfter: (time: number) => number,
): Observable<{ time: number }> {
  return new Observable((subscriber) => {
    let cancel: Cancel = () => {};
    const schedule = (after: number): void => {
      const time = nextAfter(after);
      cancel = clock.at(time, () => {
        // From the clock, since a replay may jump over boundaries: it ticks once and goes on from there.
        schedule(Math.max(time, clock.now()));
        subscriber.next({ time });
      });
    };
    schedule(clock.now());
    return () => cancel();
  });
}
