import type { Interval } from '../../src/contract/index.ts';
import type { PaperSettingsInput } from '../../src/paper/index.ts';

/** A closed bar; prices in quote units, volume in base units. */
export interface BarInput {
  /** Open time, epoch milliseconds: a multiple of the interval. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/**
 * A market to replay: `'BTC@1m=btc.csv.gz'` as on the command line; `{ symbol, interval, path }`, with trades, book or
 * `generate` as in a configuration; or `{ symbol, interval, bars }` with bars of this process, ascending.
 */
export type FeedInput =
  | string
  | PaperSettingsInput['feeds'][number]
  | { symbol: string; interval: Interval; bars: readonly BarInput[] };
