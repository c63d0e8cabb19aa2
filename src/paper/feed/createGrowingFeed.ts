import type { Interval } from '../../contract/index.ts';
import type { Feed } from './Feed.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** One bar of a feed; `time` is its open time, epoch milliseconds. */
export type FeedBar = Record<(typeof COLUMNS)[number], number>;

/** A feed to which bars are appended as they close, for an engine that runs behind a live market. */
export interface GrowingFeed {
  /** The same object at any time; its columns are as long as the bars so far. */
  readonly feed: Feed;
  /** False for a bar that is not later than the last one, which is left out. */
  append(bar: FeedBar): boolean;
}

const LEAST_ROOM = 1_024;

export function createGrowingFeed(symbol: string, interval: Interval): GrowingFeed {
  let room = 0;
  let length = 0;
  let columns = COLUMNS.map(() => new Float64Array(0));
  const none = new Float64Array(0);
  const feed: Feed = {
    symbol,
    interval,
    time: none,
    open: none,
    high: none,
    low: none,
    close: none,
    volume: none,
  };

  function grow(): void {
    room = Math.max(LEAST_ROOM, 2 * room);
    columns = columns.map((column) => {
      const grown = new Float64Array(room);
      grown.set(column);
      return grown;
    });
  }

  return {
    feed,
    append(bar) {
      if (length > 0 && bar.time <= columns[0]![length - 1]!) return false;
      if (length === room) grow();
      length += 1;
      COLUMNS.forEach((name, at) => {
        columns[at]![length - 1] = bar[name];
        feed[name] = columns[at]!.subarray(0, length);
      });
      return true;
    },
  };
}
