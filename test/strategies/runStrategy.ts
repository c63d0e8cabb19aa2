import { BehaviorSubject, filter, Observable, ReplaySubject, Subject } from 'rxjs';
import {
  barCloseTime,
  INTERVAL_MS,
  type AccountRecord,
  type BalanceRecord,
  type InstrumentRecord,
  type Interval,
  type PositionRecord,
  type PriceRecord,
} from '../../src/contract/index.ts';
import type { BookTick, MarketTick } from '../../src/streams/index.ts';
import { createRandom, silentLog, TaskQueue, type Log } from '../../src/env/index.ts';
import {
  checkParams,
  createMemoryState,
  createStrategyHost,
  type CandleEvent,
  type ClosedBar,
  type Emission,
  type FormingBar,
  type FundingPayment,
  type Outcome,
  type OwnExecutionEvent,
  type OwnFill,
  type OwnMonitorEvent,
  type OwnOrderEvent,
  type OwnWatchEvent,
  type RefEvent,
  type StateStore,
  type Strategy,
  type StrategyFault,
  type StrategyHost,
  type StrategyHostOptions,
  type StrategyNotice,
} from '../../src/strategy/index.ts';

export interface RunOptions {
  params?: Record<string, unknown>;
  symbols?: string[];
  interval?: Interval;
  equity?: number;
  capitalShare?: number;
  /** Bars that closed before the run, by their closes. */
  history?: readonly BarShape[];
  /** The plugin's own warm-up; without it, the history is all the warm-up there is. */
  ownWarmup?: boolean;
  state?: StateStore;
  instance?: string;
  instrument?: Partial<InstrumentRecord>;
  /** Answers an emission while it is being decided, as the pipe answers a denial. */
  answer?: (emission: Emission) => Outcome | undefined;
  /** Default: in this thread. */
  createHost?: (options: StrategyHostOptions) => StrategyHost;
  log?: Log;
}

/** A close alone gives a bar of ± 1 around it. */
export type BarShape =
  number | { open?: number; high?: number; low?: number; close: number; volume?: number };

export const START = Date.UTC(2026, 0, 5);

const INSTRUMENT: InstrumentRecord = {
  symbol: 'BTC',
  kind: 'perp',
  base: 'BTC',
  quote: 'USD',
  size_decimals: 3,
  price_decimals: 2,
  price_significant_figures: 6,
  min_order_value: 10,
  algo_min_value: 100,
  max_leverage: 50,
};

/** One strategy on the real host, with its market, account and answers in a test's hands. */
export function runStrategy(strategy: Strategy, options: RunOptions = {}) {
  const symbols = options.symbols ?? ['BTC'];
  const symbol = symbols[0]!;
  const interval = options.interval ?? '1m';
  const length = INTERVAL_MS[interval];
  const history = options.history ?? [];
  const market = new TaskQueue(START);
  const emissions: Emission[] = [];
  const faults: StrategyFault[] = [];
  const notices: StrategyNotice[] = [];
  const requestedHistory: number[] = [];

  const positions = new Map<string, BehaviorSubject<PositionRecord | null>>();
  const positionOf = (name: string) => {
    const known = positions.get(name) ?? new BehaviorSubject<PositionRecord | null>(null);
    positions.set(name, known);
    return known;
  };
  const account$ = new ReplaySubject<AccountRecord>(1);
  const price$ = new Subject<PriceRecord>();
  const balances$ = new ReplaySubject<readonly BalanceRecord[]>(1);
  const market$ = new ReplaySubject<MarketTick>(1);
  const book$ = new ReplaySubject<BookTick>(1);
  const funding$ = new Subject<FundingPayment>();
  const fills$ = new Subject<OwnFill>();
  const orders$ = new ReplaySubject<OwnOrderEvent>();
  const watch$ = new Subject<OwnWatchEvent>();
  const executions$ = new Subject<OwnExecutionEvent>();
  const monitors$ = new Subject<OwnMonitorEvent>();
  const refs$ = new ReplaySubject<RefEvent>();
  const outcomes$ = new Subject<Outcome>();
  const live$ = new Subject<CandleEvent>();

  const toBar = (shape: BarShape, time: number): ClosedBar => {
    const bar = typeof shape === 'number' ? { close: shape } : shape;
    const { close, open = close, high = Math.max(open, close) + 1 } = bar;
    const { low = Math.min(open, close) - 1, volume = 10 } = bar;
    return { symbol, interval, time, open, high, low, close, volume, closed: true };
  };
  const past = history.map((shape, index) =>
    toBar(shape, START - (history.length - index) * length),
  );
  let lastBarTime = START - length;

  const checked = checkParams(strategy, options.params);
  if (!checked.ok) throw new Error(checked.fault.reason);
  const warmup = (): number => options.history?.length ?? 0;
  const { createHost = createStrategyHost } = options;
  const host = createHost({
    strategy: options.ownWarmup === true ? strategy : { ...strategy, warmup },
    params: checked.value,
    instance: options.instance ?? 'test',
    wallet: 'main',
    symbols,
    capitalShare: options.capitalShare ?? 1,
    market,
    state: options.state ?? createMemoryState(),
    random: createRandom('test'),
    log: options.log ?? silentLog,
    instrument: (name) =>
      symbols.includes(name) ? { ...INSTRUMENT, symbol: name, ...options.instrument } : undefined,
    sources: {
      account$,
      position: positionOf,
      balances$,
      fills$,
      orders$,
      watch$,
      executions$,
      monitors$,
      refs$,
      outcomes$,
      price: () => price$,
      market: () => market$,
      book: () => book$,
      funding$,
      candles: (name, wanted, asked) => {
        requestedHistory.push(asked.history);
        return new Observable((subscriber) => {
          const retained = asked.history === 0 ? [] : past.slice(-asked.history);
          for (const bar of retained) subscriber.next({ kind: 'closed', bar, history: true });
          const isWanted = (event: CandleEvent): boolean =>
            'bar' in event &&
            event.bar.symbol === name &&
            event.bar.interval === wanted &&
            (asked.forming || event.kind === 'closed');
          return live$.pipe(filter(isWanted)).subscribe(subscriber);
        });
      },
    },
    onIntent: (emission) => {
      emissions.push(emission);
      const answer = options.answer?.(emission);
      if (answer !== undefined) outcomes$.next(answer);
    },
    onFault: (fault) => faults.push(fault),
    onNotice: (notice) => notices.push(notice),
  });

  account$.next({
    wallet: 'main',
    equity: options.equity ?? 10_000,
    available_margin: 10_000,
    used_margin: 0,
    unrealized_pnl: 0,
    realized_pnl: 0,
    fees_paid: 0,
    funding_paid: 0,
    time: START,
  });
  host.start();

  return {
    host,
    market,
    emissions,
    faults,
    notices,
    requestedHistory,
    sources: {
      account$,
      balances$,
      price$,
      fills$,
      orders$,
      watch$,
      executions$,
      monitors$,
      refs$,
      market$,
      book$,
      funding$,
      outcomes$,
      live$,
    },
    intents: () => emissions.map((emission) => emission.intent),
    keys: () => emissions.map((emission) => emission.decisionKey),
    /** Closes the next bars; market time is each one's close when it is reported. */
    bars(...shapes: BarShape[]) {
      for (const shape of shapes) {
        lastBarTime += length;
        market.advanceTo(barCloseTime(lastBarTime, interval));
        live$.next({ kind: 'closed', bar: toBar(shape, lastBarTime), history: false });
      }
    },
    forming(shape: BarShape) {
      const bar: FormingBar = { ...toBar(shape, lastBarTime + length), closed: false };
      live$.next({ kind: 'forming', bar });
    },
    position(side: 'long' | 'short' | 'flat', size = 1, entry_price = 100) {
      const time = market.now();
      positionOf(symbol).next(
        side === 'flat'
          ? null
          : {
              symbol,
              side,
              size,
              entry_price,
              mark_price: entry_price,
              notional: size * entry_price,
              unrealized_pnl: 0,
              realized_pnl: 0,
              opened_time: time,
              updated_time: time,
            },
      );
    },
    outcome(emission: Emission, state: Outcome['state'], extra: Partial<Outcome> = {}) {
      const { intent, decisionKey } = emission;
      outcomes$.next({ state, intent, decisionKey, time: market.now(), ...extra });
    },
  };
}

export type StrategyRun = ReturnType<typeof runStrategy>;
