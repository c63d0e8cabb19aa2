import { distinctUntilChanged, map, type Observable } from 'rxjs';
import type { AccountRecord, CandleRecord, Interval, PositionRecord } from '../contract/index.ts';
import type { MarketClock } from '../env/index.ts';
import type { ClosedBar, FormingBar } from '../strategy/Bar.ts';
import type { Outcome } from '../strategy/Outcome.ts';
import type { StrategySources } from '../strategy/StrategySources.ts';
import type { Streams } from '../streams/index.ts';
import { isSpot } from './createWalletBook.ts';

export interface SourcesOptions {
  streams: Streams;
  market: MarketClock;
  wallet: string;
  account$: Observable<AccountRecord>;
  outcomes$: Observable<Outcome>;
  /** Last price of a symbol, or undefined. */
  priceOf(symbol: string): number | undefined;
}

const toClosed = (symbol: string, interval: Interval, bar: CandleRecord): ClosedBar => ({
  symbol,
  interval,
  time: bar.time,
  open: bar.open,
  high: bar.high,
  low: bar.low,
  close: bar.close,
  volume: bar.volume,
  closed: true,
});

const toForming = (symbol: string, interval: Interval, bar: CandleRecord): FormingBar => ({
  ...toClosed(symbol, interval, bar),
  closed: false,
});

/**
 * What is held of a spot symbol, in the shape of a position: always long, its entry price the last
 * price when the holding changed, since a balance has none of its own.
 */
function holding$(symbol: string, options: SourcesOptions): Observable<PositionRecord | null> {
  const { streams, market, wallet, priceOf } = options;
  const base = symbol.slice(0, symbol.indexOf('/'));
  return streams.wallet(wallet).account$.pipe(
    map(({ balances }) => balances.get(base)?.total ?? 0),
    distinctUntilChanged(),
    map((size) => {
      const price = priceOf(symbol) ?? 0;
      if (size * price === 0) return null;
      const time = market.now();
      return {
        symbol,
        side: 'long',
        size,
        entry_price: price,
        mark_price: price,
        notional: size * price,
        unrealized_pnl: 0,
        realized_pnl: 0,
        opened_time: time,
        updated_time: time,
      };
    }),
  );
}

/** One wallet's streams in the shape that a strategy host takes them. */
export function createSources(options: SourcesOptions): StrategySources {
  const { streams, market } = options;
  const wallet = streams.wallet(options.wallet);
  return {
    account$: options.account$,
    position: (symbol) => (isSpot(symbol) ? holding$(symbol, options) : wallet.position(symbol)),
    fills$: wallet.fills$,
    // Market time stands at the frame's own while the frame is delivered.
    watch$: wallet.watch$.pipe(map(({ event, row }) => ({ event, time: market.now(), row }))),
    executions$: wallet.executions$.pipe(
      map(({ event, execution }) => ({ event, time: market.now(), execution })),
    ),
    candles: (symbol, interval, { history, forming }) =>
      streams
        .candles(symbol, interval, { history, forming })
        .pipe(
          map((event) =>
            event.kind === 'closed'
              ? { ...event, bar: toClosed(symbol, interval, event.bar) }
              : { ...event, bar: toForming(symbol, interval, event.bar) },
          ),
        ),
    price: (symbol) => streams.price(symbol),
    outcomes$: options.outcomes$,
  };
}
