/** Is given the time of a moment that is over, epoch milliseconds. */
export type MomentListener = (time: number) => void;

/**
 * Moments at which bars close. Symbols that close together are told one after another, and what a bot
 * is worth between two of them was never true at any time: it is judged when the moment is over, once,
 * with all that belongs to it.
 */
export interface Moments {
  /** A bar closes at this time; to be called before anything of the bar counts. */
  bar(time: number): void;
  /** Something of this time happens; an earlier moment is over before it counts. */
  reach(time: number): void;
  /** Listeners are called in the order in which they came. */
  listen(listener: MomentListener): void;
  /** The newest moment, over or not, epoch milliseconds; 0 before the first. */
  newest(): number;
}

export function createMoments(): Moments {
  const listeners: MomentListener[] = [];
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
      // A bar that comes late, after a later one of another symbol, opens nothing: time goes forward.
      if (time <= newest) return;
      newest = time;
      isOpen = true;
    },
    reach,
    listen: (listener) => void listeners.push(listener),
    newest: () => newest,
  };
}
