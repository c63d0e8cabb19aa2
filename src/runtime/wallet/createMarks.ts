import { INTERVAL_MS, type Interval } from '../../contract/index.ts';

/** The last price of a symbol, from the last bar that closed. */
export interface Mark {
  readonly price: number;
  /** When the bar closed, epoch milliseconds. */
  readonly time: number;
  readonly intervalMs: number;
}

/** Last prices by symbol, by which guards value exposure and know the age of data. */
export interface Marks {
  /** Returns the writer of the symbol's mark, for bars of the interval. */
  follow(symbol: string, interval: Interval): (bar: { time: number; close: number }) => void;
  /**
   * The same of a spot symbol that no strategy trades and whose base a wallet holds: it values the wallet, and no
   * guard and no strategy reads it.
   */
  followAsset(symbol: string, interval: Interval): (bar: { time: number; close: number }) => void;
  /** The current mark; the next bar overwrites the same object, so a reference to it changes too. */
  of(symbol: string): Mark | undefined;
  /** The same by which a wallet is valued: of assets that no strategy trades as well. */
  worth(symbol: string): Mark | undefined;
  /** Runs once the symbol has a price: now, or with its first bar. */
  whenKnown(symbol: string, run: () => void): void;
  /**
   * Whether a bar of the symbol is due at the newest close of all and has not arrived: symbols that close
   * together are reported one after another. A bar that missed its instant is waited for no longer.
   */
  isAwaited(symbol: string): boolean;
}

/** @param settle makes up for bars that were put off; called before a mark is read */
export function createMarks(settle: () => void = () => {}): Marks {
  const marks = new Map<string, Mark>();
  const assets = new Map<string, Mark>();
  const waiting = new Map<string, Array<() => void>>();
  let newest = Number.NEGATIVE_INFINITY;
  function write(interval: Interval, onFirst: (mark: Mark) => void) {
    const intervalMs = INTERVAL_MS[interval];
    const mark = { price: Number.NaN, time: Number.NaN, intervalMs };
    let isKnown = false;
    return ({ time, close }: { time: number; close: number }): void => {
      mark.price = close;
      mark.time = time + intervalMs;
      newest = Math.max(newest, mark.time);
      // There is none before the first bar.
      if (isKnown) return;
      isKnown = true;
      onFirst(mark);
    };
  }

  return {
    follow: (symbol, interval) =>
      write(interval, (mark) => {
        marks.set(symbol, mark);
        for (const run of waiting.get(symbol) ?? []) run();
        waiting.delete(symbol);
      }),
    followAsset: (symbol, interval) => write(interval, (mark) => assets.set(symbol, mark)),
    of(symbol) {
      settle();
      return marks.get(symbol);
    },
    worth(symbol) {
      settle();
      return marks.get(symbol) ?? assets.get(symbol);
    },
    whenKnown(symbol, run) {
      settle();
      if (marks.has(symbol)) run();
      else waiting.set(symbol, [...(waiting.get(symbol) ?? []), run]);
    },
    isAwaited(symbol) {
      settle();
      const mark = marks.get(symbol) ?? assets.get(symbol);
      return mark !== undefined && mark.time + mark.intervalMs === newest;
    },
  };
}
