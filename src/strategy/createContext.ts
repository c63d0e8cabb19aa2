import { Observable, type Subscription, defer, filter, map, merge, startWith } from 'rxjs';
import { barCloseTime, barOpenTime, withCode, type Interval } from '../contract/index.ts';
import {
  toSchedulerLike,
  type Cancel,
  type Log,
  type MarketClock,
  type Random,
} from '../env/index.ts';
import type { ClosedBar } from './Bar.ts';
import {
  accountCause,
  balancesCause,
  bookCause,
  executionCause,
  fillCause,
  fundingCause,
  marketCause,
  monitorCause,
  orderCause,
  outcomeCause,
  positionCause,
  priceCause,
  refCause,
  lateTimerCause,
  timerCause,
  watchCause,
  type Cause,
} from './causes.ts';
import { CATCH_UP, WARM_UP } from './createEmissionGate.ts';
import { createFunding } from './createFunding.ts';
import { createPlot } from './createPlot.ts';
import { createOpenOrders } from './createOpenOrders.ts';
import { createSourceWrap } from './createSourceWrap.ts';
import type { Delivery } from './Delivery.ts';
import type { StateHandle } from './createState.ts';
import { freezeDeeply } from './freezeDeeply.ts';
import type { Liveness, Turns } from './createTurns.ts';
import { every } from './every.ts';
import { indicatorPoints } from './indicatorPoints.ts';
import type { Outcome } from './Outcome.ts';
import { monitorSymbols } from './monitorSymbols.ts';
import { createByRef } from './refs/createByRef.ts';
import type { RefChange } from './refs/RefState.ts';
import { requireInterval } from './requireInterval.ts';
import type { InstrumentView, StrategyContext } from './StrategyContext.ts';
import type { StrategyNotice } from './StrategyNotice.ts';
import type { StrategySources } from './StrategySources.ts';
import { lastOfRefs } from './lastOfRefs.ts';
import { barReader, createLiveness, createWarmth, warmUpNotes } from './warmUp.ts';
import type { BarCount, Past } from './warmUp.ts';

export interface ContextOptions {
  params: unknown;
  symbols: readonly string[];
  wallet: string;
  /** Share of the wallet's equity, above 0 and at most 1. */
  capitalShare: number;
  /** Closed bars of history that each candle subscription starts with. */
  warmup: number;
  sources: StrategySources;
  market: MarketClock;
  random: Random;
  log: Log;
  state: StateHandle<unknown>;
  instrument(symbol: string): InstrumentView;
  turns: Turns;
  lifetime: Subscription;
  /** Outcomes from the host itself: a malformed intent is denied before it goes anywhere. */
  hostOutcomes$: Observable<Outcome>;
  onSourceFailed(error: unknown): void;
  onNotice(notice: StrategyNotice): void;
}

/** The most levels that the channel `orderbook` gives of a side. */
const MOST_DEPTH = 50;

/** The context of one instance: every source in it carries its own cause. */
export function createContext(options: ContextOptions): StrategyContext<unknown, unknown> {
  const { sources, symbols, lifetime, market } = options;
  const wrap = createSourceWrap(options);
  const clock = inTurns(options);
  const noteLoaded = warmUpNotes(options);
  const stackOf = createStacks();
  const warmth = createWarmth(options.warmup);
  const pastOf = (symbol: string, interval: Interval): Past => ({
    onLoaded: (bars) => noteLoaded(symbol, interval, bars),
    expectHistory: () => options.turns.expectHistory(),
  });

  let equity = 0;
  lifetime.add(
    (sources.equity$ ?? sources.account$.pipe(map((account) => account.equity))).subscribe({
      next: (present) => {
        equity = present;
      },
      error: (error) => options.onSourceFailed(error),
    }),
  );

  /** Bars of which each subscription has a count of its own. */
  const counted = <T>(
    symbol: string,
    interval: Interval,
    open: (count: BarCount) => Observable<T>,
  ): Observable<T> =>
    new Observable((subscriber) =>
      open(warmth.of(symbol, interval, subscriber)).subscribe(subscriber),
    );

  const candles = (symbol: string, interval: Interval): Observable<ClosedBar> => {
    requireInterval(interval);
    const stack = stackOf(`${symbol} ${interval}`);
    return counted(symbol, interval, (count) =>
      wrap.bars(
        {
          symbol,
          interval,
          stack,
          open: (taker) =>
            sources.candles(symbol, interval, {
              history: options.warmup,
              forming: false,
              stack,
              taker,
            }),
        },
        createLiveness(count, pastOf(symbol, interval)),
      ),
    );
  };
  const account$ = wrap.state(sources.account$, accountCause);
  const isOwn = ({ symbol }: { symbol?: unknown }): boolean => symbols.includes(symbol as string);
  const own$ = merge(sources.outcomes$, options.hostOutcomes$);
  const lastOfRef = lastOfRefs(own$, lifetime, (outcome) => byRef.outcome(outcome));
  const followed = { lifetime, onSourceFailed: options.onSourceFailed };
  const byRef = createByRef({
    ...followed,
    refs$: sources.refs$,
    lastOf: lastOfRef,
    toPlugin: (changes$) => wrap.custom(changes$, readChange).pipe(map(({ state }) => state)),
  });
  const openOrders = createOpenOrders({ ...followed, orders$: sources.orders$ });

  return {
    params: freezeDeeply(options.params, options.params),
    symbols,
    symbol: symbols[0]!,
    wallet: options.wallet,
    capital: () => equity * options.capitalShare,
    capital$: account$.pipe(map((account) => account.equity * options.capitalShare)),
    candles,
    candlesWithForming(symbol, interval) {
      requireInterval(interval);
      const stack = stackOf(`${symbol} ${interval}`);
      return counted(symbol, interval, (count) =>
        wrap.custom(
          sources.candles(symbol, interval, { history: options.warmup, forming: true, stack }),
          barReader(count, pastOf(symbol, interval)),
        ),
      );
    },
    indicator: (symbol, interval, id, params) =>
      candles(symbol, interval).pipe(indicatorPoints(id, params)),
    price(symbol) {
      const price$ = sources.price(symbol, stackOf(symbol));
      return wrap.state(price$.pipe(map((price) => ({ ...price, symbol }))), priceCause);
    },
    market: (symbol) => wrap.state(sources.market(symbol, stackOf(symbol)), marketCause),
    book(symbol, depth) {
      if (depth !== undefined && !(Number.isInteger(depth) && depth >= 1 && depth <= MOST_DEPTH))
        throw withCode(
          'TRIMTAB_BOOK_DEPTH',
          new RangeError(`depth must be a whole number from 1 to ${MOST_DEPTH}; it is ${depth}.`),
        );
      return wrap.state(sources.book(symbol, depth, stackOf(symbol)), bookCause);
    },
    funding: (symbol) =>
      wrap.state(
        createFunding(symbol, sources.market(symbol, stackOf(symbol)), sources.funding$),
        fundingCause,
      ),
    account$,
    position: (symbol) =>
      wrap
        .state(
          sources.position(symbol).pipe(map((position) => ({ symbol, position }))),
          positionCause,
        )
        .pipe(map(({ position }) => position)),
    balances$: wrap.state(sources.balances$, balancesCause),
    orders$: wrap.custom(
      sources.orders$.pipe(filter(({ order }) => isOwn(order))),
      updateWith(orderCause),
    ),
    openOrders,
    monitors$: wrap.custom(
      sources.monitors$.pipe(
        filter(({ monitor }) => monitorSymbols(monitor).some((symbol) => symbols.includes(symbol))),
      ),
      updateWith(monitorCause),
    ),
    byRef: (ref) => byRef.view(ref),
    isWarm(symbol, interval) {
      requireInterval(interval);
      return warmth.isWarm(symbol, interval);
    },
    fills$: wrap.events(sources.fills$.pipe(filter((fill) => isOwn(fill))), fillCause),
    watch$: wrap.custom(
      sources.watch$.pipe(filter(({ row }) => isOwn(row))),
      updateWith(watchCause),
    ),
    executions$: wrap.custom(
      sources.executions$.pipe(filter(({ execution }) => isOwn(execution))),
      updateWith(executionCause),
    ),
    outcomes$: wrap.custom(own$, readOutcome),
    outcome: (ref) => wrap.custom(ofRef(own$, ref, lastOfRef), readOutcome),
    every(interval) {
      requireInterval(interval);
      return every(clock, (now) => barCloseTime(barOpenTime(now, interval), interval));
    },
    scheduler: toSchedulerLike(afterItsCause(clock, options)),
    now: () => market.now(),
    random: () => options.random.next(),
    liveness: () => options.turns.liveness(),
    state: options.state,
    plot: createPlot(symbols, options.turns.keep),
    log: options.log,
    instrument: (symbol) => options.instrument(symbol),
  } as StrategyContext<unknown, unknown>;
}

/** The stack of the first call for each stream; once, since a plugin may request it again at every bar. */
function createStacks(): (stream: string) => string {
  const stacks = new Map<string, string>();
  return (stream) => {
    const known = stacks.get(stream);
    if (known !== undefined) return known;
    const stack = new Error(stream).stack ?? '';
    stacks.set(stream, stack);
    return stack;
  };
}

/** A snapshot shows what exists already; everything else just happened. */
const updateWith =
  <T extends { event: string }>(cause: Cause<T>) =>
  (event: T): Delivery<T> => ({
    cause,
    event,
    liveness: event.event === 'snapshot' ? 'standing' : 'live',
  });

/** The outcome of a warm-up decision also belongs to warm-up: deciding on it makes it no newer. */
function readOutcome(event: Outcome): Delivery<Outcome> {
  return { cause: outcomeCause, event, liveness: LIVENESS_OF[event.guard ?? ''] ?? 'live' };
}

/** A change of a ref by an outcome is as live as that outcome. */
function readChange(event: RefChange): Delivery<RefChange> {
  const { news } = event;
  const guard = news.kind === 'outcome' ? (news.outcome.guard ?? '') : '';
  return { cause: refCause, event, liveness: LIVENESS_OF[guard] ?? 'live' };
}

const LIVENESS_OF: Readonly<Record<string, Liveness>> = {
  [WARM_UP]: 'history',
  [CATCH_UP]: 'catch_up',
};

/** The last known step of a ref's life, then each as it comes. */
function ofRef(
  own$: Observable<Outcome>,
  ref: string,
  lastOf: (ref: string) => Outcome | undefined,
): Observable<Outcome> {
  return defer(() => {
    const known = lastOf(ref);
    const later$ = own$.pipe(filter(({ intent }) => intent.ref === ref));
    return known === undefined ? later$ : later$.pipe(startWith(known));
  });
}

/** Market time whose tasks run as turns, caused by the time for which they were scheduled. */
function inTurns({ market, turns, lifetime }: ContextOptions): TurnClock {
  return {
    now: () => market.now(),
    at: (time, run, cause = timerCause, liveness = 'live') => {
      // A single NaN would corrupt the order of the clock for every strategy.
      if (Number.isNaN(time))
        throw withCode(
          'TRIMTAB_TASK_TIME',
          new RangeError('A task was scheduled for a time that is NaN.'),
        );
      const scheduled = Math.max(time, market.now());
      return market.at(time, (isLate) => {
        if (!lifetime.closed)
          turns.run(cause, scheduled, isLate === true ? 'catch_up' : liveness, run);
      });
    },
  };
}

interface TurnClock extends MarketClock {
  at(time: number, run: () => void, cause?: Cause<number>, liveness?: Liveness): Cancel;
}

/**
 * A clock for what RxJS's operators defer: a delayed decision is as late as the event that started it, and does
 * not become a live one by waiting.
 */
function afterItsCause(clock: TurnClock, { turns, market }: ContextOptions): MarketClock {
  return {
    now: () => clock.now(),
    at(time, run) {
      const lag = turns.lag(market.now());
      if (lag === undefined) return clock.at(time, run);
      return clock.at(time, run, lateTimerCause(lag.lateMs), lag.isCatchUp ? 'catch_up' : 'live');
    },
  };
}
