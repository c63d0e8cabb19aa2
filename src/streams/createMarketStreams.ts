import { BehaviorSubject, filter, type Observable } from 'rxjs';
import type { StreamFrame } from '../contract/frames.ts';
import {
  bookRecord,
  marketRecord,
  page,
  type BookRecord,
  type MarketRecord,
} from '../contract/records.ts';
import type { ServiceRequest } from '../contract/exchange.ts';
import type { Subscription } from '../env/Link.ts';
import { isChannelFrame } from '../frames/isChannelFrame.ts';
import type { ChannelFeed, FeedHandler } from './ChannelFeed.ts';
import { holding } from './holding.ts';
import { latestByReading, type LatestReading } from './latestByReading.ts';

/** A market record with its time, epoch milliseconds. */
export type MarketTick = MarketRecord & { time: number };

/** A book with its time, epoch milliseconds; levels as `[price, size]`, best first. */
export interface BookTick extends Pick<BookRecord, 'bids' | 'asks'> {
  symbol: string;
  time: number;
  /**
   * `service`: as a venue shows it. `recorded`: as it was recorded, on a tape that has books. `synthesised`:
   * made of the best prices and the volume of a bar, as the paper service does for a tape without books; its
   * sizes are not of real orders.
   */
  source: 'service' | 'recorded' | 'synthesised';
}

export interface MarketStreams {
  /** The latest at once, then each change that the service reports. */
  market(symbol: string): Observable<MarketTick>;
  /** @param depth levels of each side, 1 to 50; the service's default if left out */
  book(symbol: string, depth?: number): Observable<BookTick>;
}

export interface MarketStreamsOptions {
  createFeed(subscription: Subscription, handler: FeedHandler): ChannelFeed;
  /** Channels that the service lacks, which are read instead. */
  lacks: readonly string[];
  reading: Omit<LatestReading<unknown>, 'request' | 'parse' | 'everyMs' | 'channel' | 'params'>;
}

/** How old a value that is read instead of streamed may become, beside a wait for the budget. */
export const READ_MARKET_MS = 15_000;
export const READ_BOOK_MS = 5_000;
/** A service publishes a market record at least each minute. */
const LEAST_SILENCE_MS = 120_000;

/** Market records and books, each symbol's once for all who listen (conventions §5). */
export function createMarketStreams(options: MarketStreamsOptions): MarketStreams {
  const markets = new Map<string, Observable<MarketTick>>();
  const books = new Map<string, Observable<BookTick>>();

  /** The latest value of a channel whose every frame is a whole one. */
  function streamed<T>(
    subscription: Subscription,
    read: (frame: StreamFrame) => T | undefined,
    isRegular: boolean,
  ): Observable<T> {
    const latest$ = new BehaviorSubject<T | null>(null);
    let frames = 0;
    const rhythm = {
      given: () => frames,
      leastMs: LEAST_SILENCE_MS,
      factor: 4,
      leastGaps: 3,
    };
    const handler: FeedHandler = {
      apply(frame, order) {
        const value = order === 'late' ? undefined : read(frame);
        if (value === undefined) return;
        frames += 1;
        latest$.next(value);
      },
      incomplete: () => {},
      forget: () => latest$.next(null),
      // A book that does not change may be silent for long.
      ...(isRegular ? { rhythm } : {}),
    };
    const feed = options.createFeed(subscription, handler);
    return holding(feed, latest$.pipe(filter((value) => value !== null)));
  }

  function readAgain<T>(
    given: Pick<LatestReading<T>, 'channel' | 'params' | 'everyMs' | 'parse'>,
    request: ServiceRequest,
  ): Observable<T> {
    return latestByReading({ ...options.reading, ...given, request });
  }

  function createMarket(symbol: string): Observable<MarketTick> {
    const subscription = { channel: 'markets', params: { symbol } };
    if (options.lacks.includes('markets')) {
      const rows = page(marketRecord);
      return readAgain(
        {
          ...subscription,
          everyMs: READ_MARKET_MS,
          parse(body, time): MarketTick | undefined {
            const parsed = rows.safeParse(body);
            const row = parsed.data?.items.find((item) => item.symbol === symbol);
            return row === undefined ? undefined : { ...row, time };
          },
        },
        { endpoint: 'market.markets', pathParams: {}, query: { symbol }, body: '' },
      );
    }
    const read = (frame: StreamFrame): MarketTick | undefined =>
      isChannelFrame(frame, 'markets') ? { ...frame.data, symbol, time: frame.ts } : undefined;
    return streamed(subscription, read, true);
  }

  function createBook(symbol: string, depth: number | undefined): Observable<BookTick> {
    const params = depth === undefined ? { symbol } : { symbol, depth };
    const subscription = { channel: 'orderbook', params };
    if (options.lacks.includes('orderbook')) {
      return readAgain(
        {
          ...subscription,
          everyMs: READ_BOOK_MS,
          parse(body, time): BookTick | undefined {
            const parsed = bookRecord.safeParse(body);
            return parsed.success ? toBook(symbol, parsed.data, time) : undefined;
          },
        },
        {
          endpoint: 'market.orderbook',
          pathParams: { symbol },
          query: { depth: depth ?? DEFAULT_DEPTH },
          body: '',
        },
      );
    }
    const read = (frame: StreamFrame): BookTick | undefined =>
      isChannelFrame(frame, 'orderbook') ? toBook(symbol, frame.data, frame.ts) : undefined;
    return streamed(subscription, read, false);
  }

  return {
    market: (symbol) => getOrMake(markets, symbol, () => createMarket(symbol)),
    book: (symbol, depth) =>
      getOrMake(books, `${symbol} ${depth ?? ''}`, () => createBook(symbol, depth)),
  };
}

/** As many levels as the channel gives without `depth` (conventions §5). */
const DEFAULT_DEPTH = 10;

function toBook(symbol: string, data: BookRecord, time: number): BookTick {
  const { bids, asks, source } = data;
  const known = source === 'recorded' || source === 'synthesised' ? source : 'service';
  return { symbol, bids, asks, time, source: known };
}

function getOrMake<T>(made: Map<string, T>, key: string, make: () => T): T {
  const value = made.get(key) ?? make();
  made.set(key, value);
  return value;
}
