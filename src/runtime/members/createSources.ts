import {
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  map,
  merge,
  Observable,
  of,
  switchMap,
  take,
} from 'rxjs';
import type {
  AccountRecord,
  CandleRecord,
  FillRecord,
  InstrumentRecord,
  Interval,
  PositionRecord,
} from '../../contract/index.ts';
import { isSellable } from '../../contract/isSellable.ts';
import type { MarketClock, SpanControl, Subscription, Timers } from '../../env/index.ts';
import type { ClosedBar, FormingBar } from '../../strategy/Bar.ts';
import type { Outcome } from '../../strategy/Outcome.ts';
import { step } from '../../strategy/operators/step.ts';
import { spotPosition } from '../../strategy/spotPosition.ts';
import type { CandleEvent, StrategySources } from '../../strategy/StrategySources.ts';
import type { WithRef } from '../../strategy/refs/RefEvent.ts';
import {
  createBarSequence,
  LONGEST_HOLD_MS,
  type CandleEvent as BarOfStream,
  type Streams,
} from '../../streams/index.ts';
import { type Marks, type RefLog, isSpot, orderEventsOf } from '../wallet/index.ts';

export interface SourcesOptions {
  streams: Streams;
  market: MarketClock;
  timers: Timers;
  /** Of the service, in its order. */
  instruments: readonly InstrumentRecord[];
  wallet: string;
  account$: Observable<AccountRecord>;
  /** Of that account. */
  equity$?: Observable<number>;
  /** The wallet's, since the process began. */
  fills$: Observable<FillRecord>;
  outcomes$: Observable<Outcome>;
  marks: Pick<Marks, 'of' | 'whenKnown'>;
  /** Which intent of the instance a record belongs to. */
  refs: Pick<RefLog, 'refOf' | 'events$'>;
  spans?: SpanControl;
  /** Called for each stream that the instance requests. */
  onAsked(subscription: Subscription, stack: string | undefined): void;
  /**
   * Whether known legs and executions come first, as `snapshot` events. At a bot's start the service's
   * snapshots bring them; a later subscriber gets none.
   */
  emitsExisting: boolean;
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
 * A spot holding in the shape of a position. As long as there is no price, neither a position nor its absence is
 * reported: a strategy with a holding must not take itself for flat.
 */
function holding$(symbol: string, options: SourcesOptions): Observable<PositionRecord | null> {
  const { streams, market, wallet, marks, instruments } = options;
  const grid = instruments.find((one) => one.symbol === symbol);
  const base = symbol.slice(0, symbol.indexOf('/'));
  return streams.wallet(wallet).account$.pipe(
    map(({ balances }) => balances.get(base)?.total ?? 0),
    // What no order could sell is no position that a strategy could end.
    map((size) => (isSellable(size, grid) ? size : 0)),
    distinctUntilChanged(),
    switchMap((size) => (size === 0 ? of(null) : priced$(size))),
  );

  function priced$(size: number): Observable<PositionRecord> {
    return new Observable((subscriber) => {
      marks.whenKnown(symbol, () => {
        const { price } = marks.of(symbol)!;
        subscriber.next(spotPosition(symbol, { size, price, time: market.now() }));
        subscriber.complete();
      });
    });
  }
}

const SNAPSHOT = 'snapshot';

/** The records that are known by now as events, then the events as they come. */
function withExisting<R, E>(
  model$: Observable<ReadonlyMap<string, R>>,
  events$: Observable<E>,
  toEvent: (record: R) => E,
): Observable<E> {
  // A missing model arrives with its snapshot, which is a separate event.
  const known$ = merge(model$, of(new Map<string, R>())).pipe(take(1));
  return concat(known$.pipe(concatMap((model) => [...model.values()].map(toEvent))), events$);
}

/** One wallet's streams in the shape that a strategy host expects. */
export function createSources(options: SourcesOptions): StrategySources {
  const { streams, market, refs } = options;
  const wallet = streams.wallet(options.wallet);
  const withRef = <R extends Parameters<RefLog['refOf']>[0]>(record: R): WithRef<R> => {
    const ref = refs.refOf(record);
    return ref === undefined ? record : { ...record, ref };
  };
  const afterExisting: typeof withExisting = (model$, events$, toEvent) =>
    options.emitsExisting ? withExisting(model$, events$, toEvent) : events$;
  const listed = options.instruments.map(({ symbol }) => symbol);
  const sequence = createBarSequence({
    placeOf: (symbol) => listed.indexOf(symbol),
    symbols: listed.length,
    // In market time, so that a replay holds as much each time.
    limit(due, end) {
      let cancel = market.at(market.now() + LONGEST_HOLD_MS, () => {
        due();
        cancel = options.timers.after(0, end);
      });
      return () => cancel();
    },
  });
  return {
    begin: () => sequence.begin(),
    ...(options.spans === undefined ? {} : { spans: options.spans }),
    account$: options.account$,
    ...(options.equity$ === undefined ? {} : { equity$: options.equity$ }),
    position: (symbol) => (isSpot(symbol) ? holding$(symbol, options) : wallet.position(symbol)),
    balances$: defer(() =>
      wallet.account$.pipe(
        map(({ balances }) => balances),
        distinctUntilChanged(),
        map((balances) => [...balances.values()]),
      ),
    ),
    fills$: options.fills$.pipe(map(withRef)),
    orders$: defer(() =>
      orderEventsOf(wallet).pipe(map(({ event, order }) => ({ event, order: withRef(order) }))),
    ),
    monitors$: defer(() =>
      afterExisting(wallet.monitorsModel$, wallet.monitors$, (monitor) => ({
        event: SNAPSHOT,
        monitor,
      })).pipe(map(({ event, monitor }) => ({ event, monitor: withRef(monitor) }))),
    ),
    refs$: refs.events$,
    // While the frame is delivered, market time is the frame's time.
    watch$: afterExisting(wallet.watchModel$, wallet.watch$, (row) => ({
      event: SNAPSHOT,
      row,
    })).pipe(map(({ event, row }) => ({ event, time: market.now(), row: withRef(row) }))),
    executions$: afterExisting(wallet.executionsModel$, wallet.executions$, (execution) => ({
      event: SNAPSHOT,
      execution,
    })).pipe(
      map(({ event, execution }) => ({
        event,
        time: market.now(),
        execution: withRef(execution),
      })),
    ),
    candles: (symbol, interval, { history, forming, stack, taker }) =>
      new Observable((subscriber) => {
        options.onAsked({ channel: 'candles', params: { symbol, interval } }, stack);
        const onLoaded = (bars: number): void => {
          if (bars < history) subscriber.next({ kind: 'loaded', bars });
        };
        const toEvent = step<BarOfStream, CandleEvent>(() => (event, out) => {
          const late = event.catchUp === true ? ({ catchUp: true } as const) : undefined;
          if (event.kind === 'forming') {
            out.next({ kind: 'forming', bar: toForming(symbol, interval, event.bar), ...late });
            return;
          }
          const bar = toClosed(symbol, interval, event.bar);
          // By far the most frequent case: a literal, since there are millions of bars.
          if (late === undefined) out.next({ kind: 'closed', bar, history: event.history });
          else out.next({ kind: 'closed', bar, history: event.history, catchUp: true });
        });
        const place = sequence.join(symbol, interval, () => subscriber.next({ kind: 'held' }));
        subscriber.add(() => place.leave());
        const asked = { history, forming, onLoaded, taker, place };
        return streams.candles(symbol, interval, asked).pipe(toEvent).subscribe(subscriber);
      }),
    price(symbol, stack) {
      options.onAsked({ channel: 'price', params: { symbol } }, stack);
      return streams.price(symbol);
    },
    market(symbol, stack) {
      options.onAsked({ channel: 'markets', params: { symbol } }, stack);
      return streams.market(symbol);
    },
    book(symbol, depth, stack) {
      options.onAsked({ channel: 'orderbook', params: { symbol } }, stack);
      return streams.book(symbol, depth);
    },
    funding$: defer(() => wallet.funding$),
    outcomes$: options.outcomes$,
  };
}
