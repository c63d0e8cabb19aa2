import {
  barCloseTime,
  INTERVAL_MS,
  INTERVALS,
  type CandleRecord,
  type Interval,
} from '../contract/index.ts';
import type { BarFeed, TestBar } from './BarFeed.ts';
import type { TestMarket } from './TestMarket.ts';
import type { DecisionLiveness } from '../strategy/index.ts';
import type { BarsOf, BarsOptions } from './StrategyTest.ts';
import { testRefusal } from './testRefusal.ts';

export interface BarDriver {
  bars(one: BarsOf, options: BarsOptions): void;
  feeds(feeds: readonly BarsOf[], options: BarsOptions): void;
  forming(symbol: string, interval: Interval, bar: TestBar): void;
}

export interface BarDriverOptions {
  market: Pick<TestMarket, 'now' | 'advanceTo' | 'isDiagram'>;
  /** @throws for a symbol that is not of the test */
  requireSymbol(call: string, symbol: string): void;
  feed(symbol: string, interval: Interval): BarFeed;
  requested(): readonly string[];
  isRunning(): boolean;
  /** The last price known. */
  mark(symbol: string, price: number): void;
}

/** Closes bars in market time: first the timers until then, then the bar. */
export function createBarDriver(options: BarDriverOptions): BarDriver {
  const { market, mark } = options;

  function feedOf(call: string, symbol: string, interval: Interval): BarFeed {
    options.requireSymbol(call, symbol);
    if (!INTERVALS.includes(interval)) {
      throw testRefusal(
        `${call}: there is no interval ${JSON.stringify(interval)}.`,
        `Take one of ${INTERVALS.join(' ')}.`,
      );
    }
    return options.feed(symbol, interval);
  }

  /** Where the first bar without a time of its own opens. */
  function openTime({ interval, bars }: BarsOf): number {
    const span = market.isDiagram === true ? bars.length * INTERVAL_MS[interval] : 0;
    return market.now() - span;
  }

  /** A test whose bars have no subscriber would show that nothing is decided, whatever the plugin does. */
  function requireRequested(feed: BarFeed): void {
    if (feed.requested || !options.isRunning()) return;
    const names = options.requested();
    const has = names.length === 0 ? 'none' : names.join(', ');
    throw testRefusal(
      `bars of ${feed.name}: the strategy follows no such bars; it follows ${has}.`,
      'Close bars of the symbol and interval that it reads with these params.',
    );
  }

  function requireLiveness(call: string, { liveness = 'live' }: BarsOptions): DecisionLiveness {
    if (['live', 'warm_up', 'catch_up'].includes(liveness)) return liveness;
    throw testRefusal(`${call}: liveness ${liveness}.`, 'Write live, warm_up or catch_up.');
  }

  function history(feed: BarFeed, { bars, symbol }: BarsOf): void {
    const records = feed.history(bars, market.now());
    const last = records.at(-1);
    if (last !== undefined) mark(symbol, last.close);
    load(feed, records);
  }

  function close(feed: BarFeed, { symbol, interval }: BarsOf, record: CandleRecord): void {
    market.advanceTo(barCloseTime(record.time, interval));
    mark(symbol, record.close);
    load(feed, []);
    feed.window.close(record);
  }

  return {
    bars(one, options) {
      const { symbol, interval, bars } = one;
      const feed = feedOf('bars', symbol, interval);
      const liveness = requireLiveness('bars', options);
      if (liveness === 'warm_up') return history(feed, one);
      requireRequested(feed);
      const records = feed.live(bars, openTime(one));
      if (liveness === 'live') {
        for (const record of records) close(feed, one, record);
        return;
      }
      const last = records.at(-1);
      if (last === undefined) return;
      // They arrive together, once the connection is back.
      market.advanceTo(barCloseTime(last.time, interval));
      mark(symbol, last.close);
      load(feed, []);
      for (const record of records) feed.window.close(record, true);
    },
    feeds(feeds, options) {
      const liveness = requireLiveness('feeds', options);
      if (liveness === 'warm_up') {
        for (const one of feeds) history(feedOf('feeds', one.symbol, one.interval), one);
        return;
      }
      const all = feeds.flatMap((one) => {
        const feed = feedOf('feeds', one.symbol, one.interval);
        requireRequested(feed);
        return feed.live(one.bars, openTime(one)).map((record) => ({ one, feed, record }));
      });
      const closeOf = ({ one, record }: (typeof all)[number]): number =>
        barCloseTime(record.time, one.interval);
      // Stable: bars that close together come in the order of the feeds.
      all.sort((a, b) => closeOf(a) - closeOf(b));
      if (liveness === 'live') {
        for (const { one, feed, record } of all) close(feed, one, record);
        return;
      }
      const last = all.at(-1);
      if (last === undefined) return;
      // They arrive together, once the connection is back.
      market.advanceTo(closeOf(last));
      for (const { one, feed, record } of all) {
        mark(one.symbol, record.close);
        load(feed, []);
      }
      for (const { feed, record } of all) feed.window.close(record, true);
    },
    forming(symbol, interval, bar) {
      const feed = feedOf('forming', symbol, interval);
      requireRequested(feed);
      const record = feed.forming(bar, market.now());
      mark(symbol, record.close);
      load(feed, []);
      feed.window.form(record);
    },
  };
}

/** Without history the first live bar finds an empty one. */
function load(feed: BarFeed, records: readonly CandleRecord[]): void {
  if (!feed.window.loaded) feed.window.load(records);
}
