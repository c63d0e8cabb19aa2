/** Receives the time of an instant that is complete, epoch milliseconds. */
export type InstantListener = (time: number) => void;

/** Complete instants between which nothing changes but the prices of what is held. */
export interface InstantColumns {
  /** Ascending, epoch milliseconds. */
  readonly times: Float64Array;
  readonly count: number;
  /** Of each symbol that is held, its price at each instant; empty while nothing is held. */
  readonly prices: ReadonlyMap<string, Float64Array>;
}

/** Receives complete instants; the columns are the caller's, and change after the call. */
export type ColumnsListener = (columns: InstantColumns) => void;

/**
 * Instants at which bars close. Symbols that close together are reported one after another, and a bot's worth
 * between two of them was never true at any time: it is evaluated once, when the instant is complete, with
 * everything that belongs to it.
 */
export interface Instants {
  /** Bars closed at these times; must be called before their prices count. */
  bars(columns: InstantColumns): void;
  /** Whether every listener takes instants at which prices change as columns. */
  takeColumns(): boolean;
  /** A bar closes at this time; must be called before anything of the bar counts. */
  bar(time: number): void;
  /** Something happens at this time; an earlier instant is complete before it counts. */
  reach(time: number): void;
  /**
   * Listeners are called in the order in which they were added.
   *
   * @param columns receives many instants at once; default: each by itself
   */
  listen(listener: InstantListener, columns?: ColumnsListener): void;
  /** The newest instant, complete or not, epoch milliseconds; 0 before the first. */
  newest(): number;
}

export function createInstants(): Instants {
  const listeners: InstantListener[] = [];
  const columnsListeners: ColumnsListener[] = [];
  let newest = 0;
  let isOpen = false;
  let areTaken = true;

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
    bars({ times, count, prices }) {
      reach(times[0]!);
      newest = times[count - 1]!;
      isOpen = true;
      if (count === 1) return;
      const complete = { times, count: count - 1, prices };
      for (let at = 0; at < columnsListeners.length; at++) columnsListeners[at]!(complete);
    },
    takeColumns: () => areTaken,
    listen(listener, columns) {
      listeners.push(listener);
      columnsListeners.push(columns ?? eachOf(listener));
      if (columns === undefined) areTaken = false;
    },
    newest: () => newest,
  };
}

const eachOf =
  (listener: InstantListener): ColumnsListener =>
  ({ times, count }) => {
    for (let at = 0; at < count; at++) listener(times[at]!);
  };
