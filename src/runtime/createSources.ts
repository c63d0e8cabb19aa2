import { map, type Observable } from 'rxjs';
import type { AccountRecord, CandleRecord, Interval } from '../contract/index.ts';
import type { MarketClock } from '../env/index.ts';
import type { ClosedBar, FormingBar } from '../strategy/Bar.ts';
import type { Outcome } from '../strategy/Outcome.ts';
import type { StrategySources } from '../strategy/StrategySources.ts';
import type { Streams } from '../streams/index.ts';

export interface SourcesOptions {
  streams: Streams;
  market: MarketClock;
  wallet: string;
  account$: Observable<AccountRecord>;
  outcomes$: Observable<Outcome>;
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

/** One wallet's streams in the shape that a strategy host takes them. */
export function createSources(options: SourcesOptions): StrategySources {
  const { streams, market } = options;
  const wallet = streams.wallet(options.wallet);
  return {
    account$: options.account$,
    position: (symbol) => wallet.position(symbol),
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
