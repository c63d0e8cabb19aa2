import { createRandom, type Random } from '../../src/env/index.ts';
import {
  generateFeed,
  withTape,
  type BookTape,
  type Feed,
  type MarketData,
} from '../../src/paper/index.ts';

/** Of the conventions' kinds: perpetuals, a spot pair, a perpetual of a third party with longer bars. */
const MARKETS = [
  { symbol: 'BTC', interval: '1m', startPrice: 60_000, volume: 40 },
  { symbol: 'PURR/USDC', interval: '1m', startPrice: 0.21, volume: 2e6 },
  { symbol: 'ETH', interval: '1m', startPrice: 3_000, volume: 700 },
  { symbol: 'xyz:TSLA', interval: '5m', startPrice: 240, volume: 9_000 },
] as const;

export interface FeedTraits {
  /** How many of the markets. */
  markets: number;
  bars: number;
  startTime: number;
  /** Bars are missing, some of them for long enough that data is stale. */
  gaps?: boolean;
  wild?: boolean;
  /** Little is traded, so that orders wait for liquidity. */
  thin?: boolean;
  /** Trades and books of BTC were recorded for some of the bars. */
  recorded?: 'trades' | 'book' | 'both' | 'changes';
}

/** Tapes from a seed. */
export function drawFeeds(seed: string, traits: FeedTraits): Feed[] {
  const { markets, bars, startTime, gaps = false, wild = false, thin = false, recorded } = traits;
  return MARKETS.slice(0, markets).map(({ symbol, interval, startPrice, volume }) => {
    const feed = generateFeed({
      symbol,
      interval,
      bars: interval === '5m' ? Math.ceil(bars / 5) : bars,
      seed,
      startTime,
      startPrice,
      volume: thin ? volume / 2_000 : volume,
      volatilityBps: wild ? 60 : 12,
      ...(gaps && { missingShare: 0.05, outageEveryBars: 45 }),
    });
    if (recorded === undefined || symbol !== 'BTC') return feed;
    return record(feed, recorded, createRandom(`recording ${seed}`));
  });
}

const cents = (value: number): number => Math.round(value * 10) / 10;

/** The tape without its beginning, with trades of each bar, and a book of three levels every few seconds. */
function record(candles: Feed, what: NonNullable<FeedTraits['recorded']>, random: Random): Feed {
  const rows = Array.from(candles.time.keys()).slice(40, 300);
  const trades: Array<[time: number, price: number, size: number]> = [];
  const books: Array<[time: number, cells: number[]]> = [];
  for (const row of rows) {
    const [open, high, low, close] = [candles.open, candles.high, candles.low, candles.close].map(
      (column) => column[row]!,
    ) as [number, number, number, number];
    const path = [open, high, low, cents((high + low) / 2), close];
    for (const [step, price] of path.entries()) {
      const time = candles.time[row]! + step * 11_000 + Math.floor(random.next() * 10_000);
      trades.push([time, price, Math.round((0.01 + random.next()) * 1e4) / 1e4]);
      const half = 0.1 + Math.floor(random.next() * 30) / 10;
      const levels = [0, 1, 2].flatMap((level) => [
        cents(price - half - level * 2),
        Math.round((0.05 + random.next()) * 1e4) / 1e4,
        // One of the sides may be short of a level.
        level === 2 && random.next() < 0.2 ? NaN : cents(price + half + level * 2),
        level === 2 && random.next() < 0.2 ? NaN : Math.round((0.05 + random.next()) * 1e4) / 1e4,
      ]);
      for (let at = 0; at < levels.length; at += 2)
        if (Number.isNaN(levels[at]! + levels[at + 1]!)) levels.fill(NaN, at, at + 2);
      books.push([time + 40, levels]);
    }
  }
  const column = (values: readonly number[]): Float64Array => Float64Array.from(values);
  const { symbol, interval } = candles;
  return withTape(
    { symbol, interval, candles },
    {
      trades:
        what === 'book'
          ? null
          : {
              time: column(trades.map(([time]) => time)),
              price: column(trades.map(([, price]) => price)),
              size: column(trades.map(([, , size]) => size)),
            },
      book:
        what === 'trades'
          ? null
          : what === 'changes'
            ? changesOf(books)
            : {
                kind: 'rows',
                time: column(books.map(([time]) => time)),
                depth: 3,
                cells: column(books.flatMap(([, cells]) => cells)),
              },
    },
  )!;
}

/** The same books as the whole first one and the changes that lead from each to the next. */
function changesOf(books: ReadonlyArray<readonly [time: number, cells: number[]]>): BookTape {
  const changes: Array<{ isBid: boolean; price: number; size: number }> = [];
  const first: number[] = [];
  let before = new Map<string, number>();
  for (const [, cells] of books) {
    first.push(changes.length);
    const now = new Map<string, number>();
    for (let at = 0; at < cells.length; at += 2)
      if (!Number.isNaN(cells[at]!)) now.set(`${at % 4 === 0} ${cells[at]}`, cells[at + 1]!);
    const write = (key: string, size: number): void => {
      const [isBid, price] = key.split(' ');
      changes.push({ isBid: isBid === 'true', price: Number(price), size });
    };
    for (const key of before.keys()) if (!now.has(key)) write(key, 0);
    for (const [key, size] of now) if (before.get(key) !== size) write(key, size);
    before = now;
  }
  return {
    kind: 'changes',
    time: Float64Array.from(books, ([time]) => time),
    first: Float64Array.from(first),
    updateId: Float64Array.from(books.keys()),
    isBid: Uint8Array.from(changes, ({ isBid }) => (isBid ? 1 : 0)),
    price: Float64Array.from(changes, ({ price }) => price),
    size: Float64Array.from(changes, ({ size }) => size),
  };
}

/** Settlements of the tape's hours, with rates of both signs. */
export function drawFunding(startTime: number, hours: number): MarketData['funding'] {
  const each = Array.from({ length: hours }, (_none, at) => at + 1);
  return {
    BTC: {
      time: Float64Array.from(each, (hour) => startTime + hour * 3_600_000),
      rate: Float64Array.from(each, (hour) => (hour % 2 === 0 ? -0.002 : 0.001) / hour),
    },
    ETH: { constantRate: -0.0004, intervalMs: 3_600_000 },
  };
}
