import { filter, map, merge, mergeMap, scan, skip, take } from 'rxjs';
import {
  bollinger,
  crossesOver,
  crossesUnder,
  defineStrategy,
  ema,
  placeOrder,
  shareRows,
  sma,
  withIndicators,
  type Interval,
  type Strategy,
} from 'trimtab';
import { z } from 'zod';
import { generateFeed, type Feed } from '../../../src/paper/index.ts';
import type { ParityTape } from '../runParity.ts';

const START = Date.UTC(2026, 0, 5);
/** More than an indicator keeps of its values, so that they move. */
const BARS = 20_000;

interface CrossOptions {
  name: string;
  interval: Interval;
  fast: number;
  slow: number;
  /** Share of the crossings that trade: few of them leave long stretches. */
  every: number;
  /** Whether a subscriber that nobody knows acts on some rows. */
  isWatched: boolean;
}

/** Trades some crossings of two averages, by operators that a walk looks through. */
function crossStrategy({ name, interval, fast, slow, every, isWatched }: CrossOptions): Strategy {
  return defineStrategy({
    name,
    contract: 1,
    description: 'Every so many crossings, an order.',
    params: z.object({}),
    scopes: ['trade'],
    warmup: () => slow,
    setup({ symbol, candles, instrument }) {
      const rows$ = candles(symbol, interval).pipe(
        withIndicators({ fast: sma(fast), slow: ema(slow), bands: bollinger({ period: slow }) }),
        shareRows(),
      );
      const order = (side: 'buy' | 'sell', price: number) => {
        const size = instrument(symbol).roundSize(100 / price);
        return placeOrder.market({ symbol, side, size });
      };
      const ups$ = rows$.pipe(
        crossesOver(
          ({ fast }) => fast,
          ({ slow }) => slow,
        ),
        filter((_row, index) => index % every === 0),
        map(({ bar }) => order('buy', bar.close)),
      );
      const downs$ = rows$.pipe(
        crossesUnder(
          (row) => row.fast,
          (row) => row.slow,
        ),
        filter((_row, index) => index % every === 0),
        map(({ bar }) => order('sell', bar.close)),
      );
      if (!isWatched) return merge(ups$, downs$);
      const watched$ = rows$.pipe(
        filter((_row, index) => index % 997 === 0),
        mergeMap(({ bar, bands }) => (bar.close > bands.mid ? [order('buy', bar.close)] : [])),
      );
      return merge(ups$, downs$, watched$);
    },
  }) as Strategy;
}

function withGap(feed: Feed, from: number, bars: number): Feed {
  const keep = (column: Float64Array): Float64Array =>
    column.filter((_value, row) => row < from || row >= from + bars);
  const { time, open, high, low, close, volume } = feed;
  return {
    ...feed,
    time: keep(time),
    open: keep(open),
    high: keep(high),
    low: keep(low),
    close: keep(close),
    volume: keep(volume),
  };
}

/**
 * Follows the second symbol by known operators, and joins its rows and its bars by others in turns of the first one: what
 * was looked ahead for the second symbol is too little from then on.
 */
function joiningStrategy(): Strategy {
  return defineStrategy({
    name: 'joining',
    contract: 1,
    description: 'Reads a symbol from the turns of another.',
    params: z.object({}),
    scopes: ['trade'],
    warmup: () => 30,
    setup({ symbols, candles, price, instrument }) {
      const [lead, other] = symbols as [string, string];
      const order = (at: number) => {
        const size = instrument(other).roundSize(100 / at);
        return placeOrder.market({ symbol: other, side: 'buy', size });
      };
      const rowsOf = (symbol: string) =>
        candles(symbol, '1m').pipe(withIndicators({ fast: sma(10), slow: ema(30) }), shareRows());
      const otherRows$ = rowsOf(other);
      const crosses$ = rowsOf(lead).pipe(
        crossesOver(
          ({ fast }) => fast,
          ({ slow }) => slow,
        ),
      );
      const known$ = otherRows$.pipe(
        crossesUnder(
          ({ fast }) => fast,
          ({ slow }) => slow,
        ),
        filter((_row, index) => index % 50 === 0),
        map(({ bar }) => order(bar.close)),
      );
      const joinsRows$ = crosses$.pipe(
        skip(20),
        take(1),
        mergeMap(() => otherRows$.pipe(skip(3), take(40))),
        filter((_row, index) => index % 13 === 0),
        map(({ bar }) => order(bar.close)),
      );
      const joinsBars$ = crosses$.pipe(
        skip(65),
        take(1),
        // What it knows of the past is part of each size.
        mergeMap(() => candles(other, '1m').pipe(take(400))),
        scan((mean, { close }) => 0.9 * mean + 0.1 * close, 0),
        filter((_mean, index) => index % 17 === 0),
        map(order),
      );
      const reads$ = crosses$.pipe(
        filter((_row, index) => index % 30 === 0),
        mergeMap(() => price(other).pipe(take(1))),
        map(({ mark }) => order(mark)),
      );
      return merge(known$, joinsRows$, joinsBars$, reads$);
    },
  }) as Strategy;
}

/** The same tape, read by a strategy that joins a symbol's readers while another one's bars are delivered. */
export function joiningTape(seed: string): ParityTape {
  const joining = { strategy: joiningStrategy(), wallet: 'main' };
  const { data, settings, isDescribed } = longTape(seed, false);
  return {
    data,
    settings,
    isDescribed,
    members: [{ ...joining, symbols: ['BTC', 'ETH'] }],
  } as ParityTape;
}

/** Two weeks of minutes of two symbols, one with gaps, and strategies that decide rarely or often. */
export function longTape(seed: string, isWatched: boolean): ParityTape {
  const feedOf = (symbol: string, startPrice: number): Feed =>
    generateFeed({ symbol, interval: '1m', bars: BARS, seed, startTime: START, startPrice });
  const feeds = [feedOf('BTC', 61_000), withGap(withGap(feedOf('ETH', 3_300), 900, 45), 7_777, 1)];
  const common = { isWatched: false, every: 40 };
  const cross = (options: Partial<CrossOptions> & Pick<CrossOptions, 'name'>): Strategy =>
    crossStrategy({ ...common, interval: '1m', fast: 10, slow: 30, ...options });
  const members = [
    { strategy: cross({ name: 'minutes', isWatched }), symbols: ['BTC'], wallet: 'main' },
    {
      strategy: cross({ name: 'fives', interval: '5m', every: 7 }),
      symbols: ['ETH'],
      wallet: 'main',
    },
    { strategy: cross({ name: 'same' }), symbols: ['BTC'], wallet: 'second' },
    { strategy: cross({ name: 'other', slow: 47 }), symbols: ['ETH'], wallet: 'second' },
  ];
  return {
    data: { feeds, funding: {} },
    settings: {
      feeds: [{ symbol: 'BTC', interval: '1m', generate: { seed: 1, bars: 2 } }],
      warmup: 60,
      connections: [{ label: 'second', balance: 25_000 }],
    },
    members,
    isDescribed: true,
  };
}
