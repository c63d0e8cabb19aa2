import { Subscription, type SchedulerAction, type SchedulerLike } from 'rxjs';
import type { Cancel, MarketClock } from './Clock.ts';

class MarketAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #clock: MarketClock;
  readonly #work: (this: SchedulerAction<T>, state?: T) => void;
  #cancel: Cancel = () => {};

  constructor(clock: MarketClock, work: (this: SchedulerAction<T>, state?: T) => void) {
    super();
    this.#clock = clock;
    this.#work = work;
  }

  schedule(state?: T, delay = 0): Subscription {
    if (this.closed) return this;
    this.#cancel();
    this.#cancel = this.#clock.at(this.#clock.now() + Math.max(0, delay), () => {
      if (!this.closed) this.#work.call(this, state);
    });
    return this;
  }

  override unsubscribe(): void {
    this.#cancel();
    super.unsubscribe();
  }
}

/**
 * A market clock as an RxJS scheduler, for `timer`, `debounceTime` and the like. RxJS's own
 * VirtualTimeScheduler sorts its whole queue on each event; this is a heap.
 */
export function toSchedulerLike(clock: MarketClock): SchedulerLike {
  return {
    now: () => clock.now(),
    schedule: <T>(
      work: (this: SchedulerAction<T>, state?: T) => void,
      delay = 0,
      state?: T,
    ): Subscription => new MarketAction<T>(clock, work).schedule(state as T, delay),
  };
}
