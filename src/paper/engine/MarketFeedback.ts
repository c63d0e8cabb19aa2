import type { Interval } from '../../contract/index.ts';
import type { MarketInterest } from '../core/Engine.ts';
import type { Bar, BarSeries } from '../core/Market.ts';
import type { BarStream } from './BarHooks.ts';
import { nextHourAfter } from '../market/FundingSchedule.ts';
import { bookRecord, marketRecord } from '../market/marketRecords.ts';
import type { EngineState } from './EngineState.ts';

class ClosedBar implements Bar {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  closed = true;

  constructor(bars: BarSeries, at: number) {
    this.time = bars.time[at]!;
    this.open = bars.open[at]!;
    this.high = bars.high[at]!;
    this.low = bars.low[at]!;
    this.close = bars.close[at]!;
    this.volume = bars.volume[at]!;
  }
}

/**
 * The market's events for the listener: ticks and forming bars at the corners of the path, closed bars at
 * their boundary. Only events with subscribers are produced.
 */
export class MarketFeedback {
  /** When the next corner of a path with subscribers comes. */
  nextTime = Infinity;
  /** When a market record with subscribers is due next. */
  marketsTime = Infinity;
  readonly #engine: EngineState;
  #ticks: readonly string[] = [];
  #forming: ReadonlyArray<{ symbol: string; interval: Interval }> = [];
  #markets: Array<{ symbol: string; time: number }> = [];
  /** The text of each book that was published last. */
  #books: Array<{ symbol: string; depth: number; text: string }> = [];
  #corners: Array<{ symbol: string; time: number }> = [];

  constructor(engine: EngineState) {
    this.#engine = engine;
  }

  /** The listener receives everything until it limits its interest. */
  publishAll(): void {
    const { market } = this.#engine;
    const symbols = [...market.symbols.keys()];
    const bars = symbols.flatMap((symbol) =>
      market.intervals(symbol).map((interval) => ({ symbol, interval, forming: true })),
    );
    this.publish({ ticks: symbols, bars });
  }

  publish({ ticks, bars, markets = [], books = [] }: MarketInterest): void {
    this.#ticks = ticks;
    this.#forming = bars.filter(({ forming }) => forming);
    this.#engine.barHooks.publish(bars);
    this.#markets = markets.map((symbol) => ({ symbol, time: this.#nextRecord(symbol) }));
    this.marketsTime = Math.min(...this.#markets.map(({ time }) => time));
    this.#books = books.map(
      ({ symbol, depth }) => this.#bookOf(symbol, depth) ?? { symbol, depth, text: '' },
    );
    const shaped = [...this.#forming, ...books].map(({ symbol }) => symbol);
    const symbols = new Set([...ticks, ...shaped]);
    this.#corners = [...symbols].map((symbol) => ({ symbol, time: this.#nextCorner(symbol) }));
    this.#findNext();
  }

  /** The feeds grew: paths that had ended go on. */
  feedsGrew(): void {
    for (const corner of this.#corners) corner.time = this.#nextCorner(corner.symbol);
    for (const due of this.#markets) due.time = this.#nextRecord(due.symbol);
    this.marketsTime = Math.min(...this.#markets.map(({ time }) => time));
    this.#findNext();
  }

  #findNext(): void {
    let next = Infinity;
    for (const { time } of this.#corners) if (time < next) next = time;
    this.nextTime = next;
  }

  publishCorners(): void {
    for (const corner of this.#corners) {
      if (corner.time > this.#engine.market.now) continue;
      corner.time = this.#nextCorner(corner.symbol);
      if (this.#ticks.includes(corner.symbol)) this.#publishTick(corner.symbol);
      for (const { symbol, interval } of this.#forming) {
        if (symbol === corner.symbol) this.#publishForming(symbol, interval);
      }
      for (const book of this.#books) if (book.symbol === corner.symbol) this.#publishBook(book);
    }
    this.#findNext();
  }

  /** After all else of the instant: a settlement of this hour is in the record. */
  publishMarkets(): void {
    const { market } = this.#engine;
    for (const due of this.#markets) {
      const { symbol } = due;
      if (due.time > market.now) continue;
      due.time = this.#nextRecord(symbol);
      const data = marketRecord(market, symbol, market.now);
      this.#engine.emit({
        channel: 'markets',
        event: 'tick',
        wallet: null,
        keys: { symbol },
        data,
      });
    }
    this.marketsTime = Math.min(...this.#markets.map(({ time }) => time));
  }

  publishClosed({ keys, bars: source }: BarStream): void {
    const bars = source.closed(this.#engine.market.now);
    const last = bars.length - 1;
    this.#emitBar('bar_closed', keys, new ClosedBar(bars, last));
  }

  #nextCorner(symbol: string): number {
    return this.#engine.market.at(symbol).path.nextCornerTime();
  }

  /** At each closed bar of the feed, a minute at the finest, and each full hour, when funding settles. */
  #nextRecord(symbol: string): number {
    const { market } = this.#engine;
    const nextClose = market.nextCloseTime(symbol, market.feedInterval(symbol));
    return Math.min(nextClose, nextHourAfter(market.now));
  }

  #bookOf(symbol: string, depth: number) {
    return this.#books.find((book) => book.symbol === symbol && book.depth === depth);
  }

  /** A corner is at least 250 ms after the one before it; what is as before is not repeated. */
  #publishBook(book: { symbol: string; depth: number; text: string }): void {
    const { symbol, depth } = book;
    const { now } = this.#engine.market;
    const data = bookRecord(this.#engine.market, symbol, { depth, now });
    const text = JSON.stringify([data.bids, data.asks]);
    if (text === book.text) return;
    book.text = text;
    const keys = { symbol, depth };
    this.#engine.emit({ channel: 'orderbook', event: 'book', wallet: null, keys, data });
  }

  #publishTick(symbol: string): void {
    const data = this.#engine.market.quote(symbol);
    this.#engine.emit({ channel: 'price', event: 'tick', wallet: null, keys: { symbol }, data });
  }

  #publishForming(symbol: string, interval: Interval): void {
    const bar = this.#engine.market.formingBar(symbol, interval);
    if (bar === null) return;
    const keys = { symbol, interval, include_forming: true };
    this.#emitBar('bar_forming', keys, { ...bar, closed: false });
  }

  #emitBar(
    event: 'bar_closed' | 'bar_forming',
    keys: Readonly<Record<string, string | boolean>>,
    data: Bar & { closed: boolean },
  ): void {
    this.#engine.emit({ channel: 'candles', event, wallet: null, keys, data });
  }
}
