/** Receives the time of an instant that is complete, epoch milliseconds. */
export type InstantListener = (time: number) => void;

/** Receives the times of complete instants, ascending, at each of which everything is worth the same. */
export type FlatListener = (times: Float64Array, count: number) => void;

/**
 * Instants at which bars close. Symbols that close together are reported one after another, and a bot's worth
 * between two of them was never true at any time: it is evaluated once, when the instant is complete, with
 * everything that belongs to it.
 */
export interface Instants {
  /** Bars closed at these times, ascending, and nothing was worth more or less at one than at another. */
  flat(times: Float64Array, count: number): void;
  /** A bar closes at this time; must be called before anything of the bar counts. */
  bar(time: number): void;
  /** Something happens at this time; an earlier instant is complete before it counts. */
  reach(time: number): void;
  /**
   * Listeners are called in the order in which they were added.
   *
   * @param flat receives complete instants of which each is worth the same as all; default: each by itself
   */
  listen(listener: InstantListener, flat?: FlatListener): void;
  /** The newest instant, complete or not, epoch milliseconds; 0 before the first. */
  newest(): number;
}

export function createInstants(): Instants {
  const listeners: InstantListener[] = [];
  const flatListeners: FlatListener[] = [];
  let newest = 0;
  let isOpen = false;

  const reach = (time: number): void => {
    if (!isOpen || time <= newest) return;
    isOpen = false;
    for (let at = 0; at < listeners.length; at++) listeners[at]!(newest);
  };

  return {
    bar(time) {
      reach(time);
      // A bar that comes late, after a later one of another symbol, opens nothing: time only advances.
      if (time <= newest) return;
      newest = time;
      isOpen = true;
    },
    reach,
    flat(times, count) {
      reach(times[0]!);
      newest = times[count - 1]!;
      isOpen = true;
      if (count === 1) return;
      for (let at = 0; at < flatListeners.length; at++) flatListeners[at]!(times, count - 1);
    },
    listen(listener, flat) {
      listeners.push(listener);
      flatListeners.push(flat ?? eachOf(listener));
    },
    newest: () => newest,
  };
}

const eachOf =
  (listener: InstantListener): FlatListener =>
  (times, count) => {
    for (let at = 0; at < count; at++) listener(times[at]!);
  };
