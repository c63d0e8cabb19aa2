import {
  INTERVALS,
  type InstrumentRecord,
  type Interval,
  type PriceRecord,
} from '../../contract/index.ts';
import { unservedInterval } from '../core/knownInstrument.ts';
import type { Bar, BarSeries, Market, RecordedBook } from '../core/Market.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { Feed } from '../feed/Feed.ts';
import { createInstrument, type InstrumentOverrides } from './createInstrument.ts';
import { FundingSchedule, type SymbolFunding } from './FundingSchedule.ts';
import { serves } from './IntervalBars.ts';
import {
  levelOfWatch,
  type PriceWatch,
  type WatchedPrice,
  type WatchTopic,
} from './PriceWatches.ts';
import { SymbolMarket, type SavedVolume } from './SymbolMarket.ts';

export interface MarketOptions {
  feeds: readonly Feed[];
  instruments: Readonly<Record<string, InstrumentOverrides>>;
  fundingRates: Readonly<Record<string, SymbolFunding>>;
  halfSpreadBps: number;
  minimums: { minOrderValue: number; algoMinValue: number };
}

/** The level of a watch; `passed`: it must be exceeded, to reach it is not enough. */
export interface WatchRequest extends WatchedPrice {
  symbol: string;
  topic: WatchTopic;
  wallet: string;
  id: string;
}

/** State of the market that is not on the tape, as plain data. */
export interface SavedMarket {
  now: number;
  watchOrder: number;
  symbols: Record<string, SavedVolume>;
  watches: SavedWatch[];
}

/** A watch and the time until which it sleeps; null: it is awake. */
export interface SavedWatch extends PriceWatch {
  until: number | null;
}

/**
 * The market at the replay's time: feeds → paths → marks, quotes, bars. It knows the feed's future
 * and shows none of it; only the search for the next watched price reads ahead.
 */
export class PaperMarket implements Market {
  readonly instruments: readonly InstrumentRecord[];
  readonly symbols: ReadonlyMap<string, SymbolMarket>;
  readonly startTime: number;
  now: number;
  readonly #list: readonly SymbolMarket[];
  readonly #funding: FundingSchedule;
  /** The order of the next watch; it only grows. */
  nextOrder = 0;
  /** An order looks up its symbol about twenty times at one instant. It has had a price. */
  #lastAsked: SymbolMarket | null = null;

  constructor(options: MarketOptions, startTime?: number) {
    this.#list = options.feeds.map((feed) => {
      const overrides = options.instruments[feed.symbol];
      const instrument = createInstrument(feed, options.minimums, overrides);
      return new SymbolMarket(feed, instrument, options.halfSpreadBps);
    });
    this.symbols = new Map(this.#list.map((symbol) => [symbol.instrument.symbol, symbol]));
    if (this.symbols.size !== this.#list.length) throw new Error('Each symbol takes one feed.');
    this.instruments = this.#list.map((symbol) => symbol.instrument);
    this.#funding = new FundingSchedule(options.fundingRates);
    // All symbols have a price from the start; the longer feeds' earlier bars are history.
    this.startTime = startTime ?? Math.max(...this.#list.map(({ path }) => path.firstTime));
    this.now = this.startTime;
  }

  /** Later once a feed has grown. */
  get endTime(): number {
    let end = -Infinity;
    for (let at = 0; at < this.#list.length; at++) {
      end = Math.max(end, this.#list[at]!.path.endTime);
    }
    return end;
  }

  /** Bars were appended to feeds: what was searched before them is searched anew. */
  feedsGrew(): void {
    this.#lastAsked = null;
    for (const symbol of this.#list) symbol.feedGrew();
  }

  get list(): readonly SymbolMarket[] {
    return this.#list;
  }

  instrument(symbol: string): InstrumentRecord | undefined {
    return this.symbols.get(symbol)?.instrument;
  }

  /** The symbol at the present time; `unknown_symbol`, or `venue_unavailable` before its first bar. */
  at(symbol: string): SymbolMarket {
    const last = this.#lastAsked;
    if (last !== null && last.instrument.symbol === symbol && last.path.time === this.now)
      return last;
    return this.#seek(symbol);
  }

  #seek(symbol: string): SymbolMarket {
    const found = this.symbols.get(symbol);
    if (found === undefined) throw new ServiceError('unknown_symbol', { details: { symbol } });
    found.path.seek(this.now);
    if (!found.path.listed) {
      throw new ServiceError('venue_unavailable', {
        message: `The market data of ${symbol} has not begun.`,
        details: { layer: 'market_data', symbol },
      });
    }
    this.#lastAsked = found;
    return found;
  }

  mark(symbol: string): number {
    return this.at(symbol).path.mark;
  }

  feedInterval(symbol: string): Interval {
    return this.at(symbol).path.feed.interval;
  }

  quote(symbol: string): PriceRecord & { time: number } {
    const { mark, bid, ask } = this.at(symbol).touch();
    return { symbol, mark, bid, ask, last: mark, time: this.now };
  }

  /** The book as it was recorded; null where none was. Prices and sizes are those of the recording. */
  book(symbol: string, depth: number): RecordedBook | null {
    const { book } = this.at(symbol);
    if (book === null) return null;
    const side = (name: 'bid' | 'ask'): Array<[number, number]> =>
      book.shown(name, depth).map(({ price, size }) => [price, size]);
    return { bids: side('bid'), asks: side('ask') };
  }

  /** Intervals whose bars can be made of the symbol's feed. */
  intervals(symbol: string): Interval[] {
    const own = this.feedInterval(symbol);
    return INTERVALS.filter((interval) => serves(own, interval));
  }

  closedBars(symbol: string, interval: Interval): BarSeries {
    return this.served(symbol, interval).bars(interval).closed(this.now);
  }

  formingBar(symbol: string, interval: Interval): Bar | null {
    return this.served(symbol, interval).bars(interval).forming(this.now);
  }

  /** When the next bar of the interval closes; Infinity after the last. */
  nextCloseTime(symbol: string, interval: Interval): number {
    return this.served(symbol, interval).bars(interval).nextCloseTime(this.now);
  }

  funding(symbol: string): { rate: number; nextTime: number } | null {
    if (this.at(symbol).instrument.kind === 'spot') return null;
    return this.#funding.next(symbol, this.now);
  }

  /** The rate that settles at this hour; null if none does. */
  fundingRateAt(symbol: string, time: number): number | null {
    return this.#funding.rateAt(symbol, time);
  }

  watch(request: WatchRequest): PriceWatch {
    const { symbol, side, topic, wallet, id } = request;
    const level = levelOfWatch(request);
    const order = this.nextOrder++;
    const watch = { symbol, level, side, topic, wallet, id, order, since: this.now };
    this.at(symbol).watches.add(watch);
    return watch;
  }

  /** The watch is active again from that time on, in its old position. */
  sleep(watch: PriceWatch, until: number): void {
    this.symbols.get(watch.symbol)?.watches.sleep(watch, until);
  }

  unwatch(watch: PriceWatch): void {
    this.symbols.get(watch.symbol)?.watches.remove(watch);
  }

  /** When a watched price is reached next, until `until` inclusive; Infinity if none is. */
  nextReachTime(until: number): number {
    let next = Infinity;
    for (const symbol of this.#list) {
      if (symbol.watches.isEmpty || symbol.isQuiet(until)) continue;
      symbol.path.seek(this.now);
      const reach = symbol.nextReach(this.now, next < until ? next : until);
      if (reach < next) next = reach;
    }
    return next;
  }

  /** Removes the next watch that is reached now; in the order of symbols, then of the path. */
  takeReached(): PriceWatch | undefined {
    for (const symbol of this.#list) {
      if (symbol.watches.isEmpty) continue;
      symbol.path.seek(this.now);
      const watch = symbol.takeReached(this.now);
      if (watch !== undefined) return watch;
    }
    return undefined;
  }

  /** Orders are saved as ranks: how the numbers came about says nothing more. */
  save(): SavedMarket {
    const watches = this.#list
      .flatMap((symbol) => symbol.watches.list())
      .sort((a, b) => a.watch.order - b.watch.order)
      .map(({ watch, until }, order) => ({ ...watch, order, until }));
    return {
      now: this.now,
      watchOrder: watches.length,
      symbols: Object.fromEntries(
        this.#list.map((symbol) => [symbol.instrument.symbol, symbol.saveVolume(this.now)]),
      ),
      watches,
    };
  }

  /** Restores a saved market and returns its watches in the order in which they were set. */
  restore({ now, watchOrder, symbols, watches }: SavedMarket): PriceWatch[] {
    this.now = now;
    this.nextOrder = watchOrder;
    for (const [name, volume] of Object.entries(symbols)) {
      this.symbols.get(name)?.restoreVolume(volume, now);
    }
    return watches.map(({ until, ...watch }) => {
      const list = this.symbols.get(watch.symbol)?.watches;
      if (until === null) list?.add(watch);
      else list?.sleep(watch, until);
      return watch;
    });
  }

  /** The symbol, if bars of the interval can be built from its feed; else `validation_failed`. */
  served(symbol: string, interval: Interval): SymbolMarket {
    const found = this.at(symbol);
    const own = found.path.feed.interval;
    if (serves(own, interval)) return found;
    throw unservedInterval(symbol, own, interval);
  }
}
