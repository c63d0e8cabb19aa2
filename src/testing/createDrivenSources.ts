import {
  BehaviorSubject,
  defer,
  distinctUntilChanged,
  map,
  Observable,
  ReplaySubject,
  startWith,
  Subject,
} from 'rxjs';
import type {
  AccountRecord,
  BalanceRecord,
  CandleRecord,
  Interval,
  PositionRecord,
  PriceRecord,
} from '../contract/index.ts';
import type {
  ClosedBar,
  FundingPayment,
  Outcome,
  OwnExecutionEvent,
  OwnFill,
  OwnMonitorEvent,
  OwnOrderEvent,
  OwnWatchEvent,
  RefEvent,
  StrategySources,
} from '../strategy/index.ts';
import { createBarSequence, type BarSequenceOptions } from '../streams/createBarSequence.ts';
import type { BookTick, MarketTick } from '../streams/index.ts';
import { BarFeed } from './BarFeed.ts';

/**
 * The streams of a wallet and its market in the hands of a test. Each behaves as the runtime's does: state
 * repeats its last value, events don't, bars bring their history to each subscriber.
 */
export interface DrivenSources {
  sources: StrategySources;
  account$: BehaviorSubject<AccountRecord>;
  position$(symbol: string): BehaviorSubject<PositionRecord | null>;
  price$(symbol: string): Subject<PriceRecord>;
  balances$: BehaviorSubject<readonly BalanceRecord[]>;
  market$(symbol: string): Subject<MarketTick>;
  /** All levels that the test gave; a subscriber gets as many as it requested. */
  book$(symbol: string): Subject<BookTick>;
  funding$: Subject<FundingPayment>;
  fills$: Subject<OwnFill>;
  orders$: Subject<OwnOrderEvent>;
  watch$: Subject<OwnWatchEvent>;
  executions$: Subject<OwnExecutionEvent>;
  monitors$: Subject<OwnMonitorEvent>;
  outcomes$: Subject<Outcome>;
  feed(symbol: string, interval: Interval): BarFeed;
  /** Names of the feeds that the strategy has requested so far, such as `BTC 5m`. */
  requested(): string[];
  /** A new instance subscribes from here on. */
  newLife(): void;
  /** The history that was given so far is delivered. */
  releaseHistory(): void;
  /** As {@link releaseHistory}, and no more of it is waited for. */
  goLive(): void;
}

export interface DrivenOptions {
  account: AccountRecord;
  balances: readonly BalanceRecord[];
  refs$: Observable<RefEvent>;
  now(): number;
  order: BarSequenceOptions;
  /** What a new instance finds, none of it ended. */
  existing: {
    orders(): ReadonlyArray<OwnOrderEvent['order']>;
    rows(): ReadonlyArray<OwnWatchEvent['row']>;
    executions(): ReadonlyArray<OwnExecutionEvent['execution']>;
    monitors(): ReadonlyArray<OwnMonitorEvent['monitor']>;
  };
}

const SNAPSHOT = 'snapshot';
/** Levels of a book that is requested without a depth, as the service gives. */
const DEFAULT_DEPTH = 10;

/** A source that this context or a later one adds is a line of its own here, and one in {@link DrivenSources}. */
export function createDrivenSources(options: DrivenOptions): DrivenSources {
  const { now, existing } = options;
  const account$ = new BehaviorSubject(options.account);
  const balances$ = new BehaviorSubject(options.balances);
  const fills$ = new Subject<OwnFill>();
  const orders$ = new Subject<OwnOrderEvent>();
  const watch$ = new Subject<OwnWatchEvent>();
  const executions$ = new Subject<OwnExecutionEvent>();
  const monitors$ = new Subject<OwnMonitorEvent>();
  const outcomes$ = new Subject<Outcome>();
  const position$ = bySymbol(() => new BehaviorSubject<PositionRecord | null>(null));
  const price$ = bySymbol(() => new ReplaySubject<PriceRecord>(1));
  const market$ = bySymbol(() => new ReplaySubject<MarketTick>(1));
  const book$ = bySymbol(() => new ReplaySubject<BookTick>(1));
  const funding$ = new Subject<FundingPayment>();
  const feeds = new Map<string, BarFeed>();
  let sequence = createBarSequence(options.order);

  function feed(symbol: string, interval: Interval): BarFeed {
    const name = `${symbol} ${interval}`;
    const known = feeds.get(name) ?? new BarFeed(symbol, interval, now);
    feeds.set(name, known);
    return known;
  }

  return {
    account$,
    position$,
    price$,
    market$,
    book$,
    funding$,
    balances$,
    fills$,
    orders$,
    watch$,
    executions$,
    monitors$,
    outcomes$,
    feed,
    requested: () => [...feeds.values()].filter((one) => one.requested).map(({ name }) => name),
    newLife() {
      sequence = createBarSequence(options.order);
    },
    releaseHistory: () => sequence.release(),
    goLive: () => sequence.giveUp(),
    sources: {
      begin: () => sequence.begin(),
      account$,
      position: (symbol) => position$(symbol).pipe(distinctUntilChanged()),
      price: (symbol) => price$(symbol),
      market: (symbol) => market$(symbol),
      book: (symbol, depth = DEFAULT_DEPTH) =>
        book$(symbol).pipe(
          map(({ bids, asks, ...book }) => ({
            ...book,
            bids: bids.slice(0, depth),
            asks: asks.slice(0, depth),
          })),
        ),
      funding$,
      balances$,
      fills$,
      orders$: withExisting(orders$, existing.orders, (order) => ({ event: SNAPSHOT, order })),
      watch$: withExisting(watch$, existing.rows, (row) => ({ event: SNAPSHOT, row })).pipe(
        map((event) => ({ ...event, time: now() })),
      ),
      executions$: withExisting(executions$, existing.executions, (execution) => ({
        event: SNAPSHOT,
        execution,
      })).pipe(map((event) => ({ ...event, time: now() }))),
      monitors$: withExisting(monitors$, existing.monitors, (monitor) => ({
        event: SNAPSHOT,
        monitor,
      })),
      refs$: options.refs$,
      outcomes$,
      candles: (symbol, interval, { history, forming }) =>
        new Observable((subscriber) => {
          const own = feed(symbol, interval);
          own.requested = true;
          const onLoaded = (bars: number): void => {
            if (bars < history) subscriber.next({ kind: 'loaded', bars });
          };
          const place = sequence.join(symbol, interval, () => subscriber.next({ kind: 'held' }));
          subscriber.add(() => place.leave());
          return own.window.view({ history, forming, onLoaded, place }).subscribe((event) => {
            const late = event.catchUp === true ? ({ catchUp: true } as const) : {};
            const bar = toBar(symbol, interval, event.bar);
            if (event.kind === 'closed') {
              subscriber.next({ kind: 'closed', bar, history: event.history, ...late });
            } else if (forming) {
              subscriber.next({ kind: 'forming', bar: { ...bar, closed: false }, ...late });
            }
          });
        }),
    },
  };
}

function toBar(symbol: string, interval: Interval, bar: CandleRecord): ClosedBar {
  const { time, open, high, low, close, volume } = bar;
  return { symbol, interval, time, open, high, low, close, volume, closed: true };
}

/** One subject for each symbol, created when it is first needed. */
function bySymbol<T>(create: () => T): (symbol: string) => T {
  const all = new Map<string, T>();
  return (symbol) => {
    const known = all.get(symbol) ?? create();
    all.set(symbol, known);
    return known;
  };
}

/** What exists at the subscription comes first, as `snapshot` events. */
function withExisting<R, E>(
  events$: Observable<E>,
  existing: () => readonly R[],
  toEvent: (record: R) => E,
): Observable<E> {
  return defer(() => events$.pipe(startWith(...existing().map(toEvent))));
}
