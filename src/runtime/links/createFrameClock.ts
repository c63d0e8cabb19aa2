import { TaskQueue, type MarketClock } from '../../env/index.ts';
import { LATE_MS } from '../../streams/index.ts';

/** Market time that only the service's frames move: between them, and while none can come, it stands still. */
export interface FrameClock extends MarketClock {
  /** A frame of this time is about to be delivered. What is due by then runs first, each task at its own time. */
  advanceTo(ts: number): void;
  /** The connection is lost: what falls due before the next frame could not run in its turn. */
  lost(): void;
}

/**
 * A task that is due between two frames runs with the second, and is in time: nothing was known in between. It is late
 * if the connection was lost, or if the frame itself had waited.
 *
 * @param present market time as far as it is known, epoch milliseconds: with a frame, at least its own
 */
export function createFrameClock(present: () => number): FrameClock {
  const queue = new TaskQueue(0);
  let hasLost = false;
  let isBehind = false;
  return {
    now: () => queue.now(),
    at(time, run) {
      const due = Math.max(time, queue.now());
      return queue.at(time, () => run(isBehind && present() - due > LATE_MS));
    },
    advanceTo(ts) {
      isBehind = hasLost || present() - ts > LATE_MS;
      queue.advanceTo(ts);
      hasLost = false;
    },
    lost() {
      hasLost = true;
    },
  };
}

/** The same of a clock that goes on by itself: a task is late if the machine or the process stood still meanwhile. */
export function withLateness(clock: MarketClock): MarketClock {
  return {
    now: () => clock.now(),
    at(time, run) {
      const due = Math.max(time, clock.now());
      return clock.at(time, () => run(clock.now() - due > LATE_MS));
    },
  };
}
