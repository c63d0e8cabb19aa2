/**
 * A bot: link → streams → strategies → pipe → link, joined.
 *
 * Start-up order matters: marks and books are subscribed before the strategies, so that a guard
 * knows a bar before the strategy that decides upon it.
 */
import { ReplaySubject, Subject, Subscription, type Observable } from 'rxjs';
import { createBudget } from '../budget/index.ts';
import type { AccountRecord, ExecutionRecord, FillRecord } from '../contract/index.ts';
import { createRandom, type Env, type Link } from '../env/index.ts';
import { createJournal, type JournalStore } from '../journal/index.ts';
import {
  createStrategyHost,
  type Outcome,
  type OutcomeState,
  type StrategyFault,
  type StrategyHost,
} from '../strategy/index.ts';
import { createStreams, type StreamFault, type Streams } from '../streams/index.ts';
import type { BotPlan, PlannedStrategy } from './BotPlan.ts';
import { createExposure } from './createExposure.ts';
import { createLedger, type Ledger } from './createLedger.ts';
import { createLookUp } from './createLookUp.ts';
import { createMarks } from './createMarks.ts';
import { createPipe, type Pipe } from './createPipe.ts';
import { createPrepare } from './createPrepare.ts';
import { createRefs } from './createRefs.ts';
import { createSources } from './createSources.ts';
import { createWalletBook, type WalletBook } from './createWalletBook.ts';
import type { PipeEvent } from './PipeEvent.ts';

export interface BotOptions {
  plan: BotPlan;
  link: Link;
  env: Env;
  store: JournalStore;
  /** The session's own wallet. */
  defaultWallet: string;
  /** The journal failed: nothing more is sent. */
  onFatal(error: unknown): void;
}

/** What happens in a bot, for its record, its log and its progress. */
export type BotEvent =
  | { kind: 'intent'; event: PipeEvent }
  | { kind: 'fill'; instance: string | undefined; wallet: string; fill: FillRecord }
  | { kind: 'execution'; instance: string | undefined; execution: ExecutionRecord }
  | { kind: 'bar'; symbol: string; bar: BarColumns }
  | { kind: 'strategy_fault'; fault: StrategyFault }
  | { kind: 'stream_fault'; fault: StreamFault };

/** The bar of a symbol that closed, on the interval that it is valued by. */
export interface BarColumns {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface Bot {
  readonly events$: Observable<BotEvent>;
  readonly streams: Streams;
  start(): Promise<void>;
  /** No further decisions or sends; resolves when what is under way is concluded. */
  stop(): Promise<void>;
  settled(): Promise<void>;
  readonly sends: number;
  readonly hosts: readonly StrategyHost[];
  ledgerOf(instance: string): Ledger;
  book(wallet: string): WalletBook;
  budget(): { used: number; limit: number };
}

/** Weight of a launch: what closing one open position may cost, as reserve for exits. */
const EXIT_WEIGHT = 20;

export function createBot(options: BotOptions): Bot {
  const { plan, link, env, store, defaultWallet } = options;
  const { market } = link;
  const wallets = [...new Set(plan.strategies.map(({ wallet }) => wallet))];
  const events$ = new Subject<BotEvent>();
  const lifetime = new Subscription();
  const streams = createStreams({ link, env, defaultWallet });
  const marks = createMarks();
  const exposure = createExposure();
  const refs = createRefs();
  const journal = createJournal(store, { clock: env.clock, market });

  const priceOf = (symbol: string): number | undefined => marks.of(symbol)?.price;
  const books = new Map(
    wallets.map((wallet) => [wallet, createWalletBook({ now: () => market.now(), priceOf })]),
  );
  const accounts = new Map(wallets.map((wallet) => [wallet, new ReplaySubject<AccountRecord>(1)]));
  const bookOf = (wallet: string): WalletBook => books.get(wallet)!;

  const onMarketClock = plan.budget.clock === 'market';
  const budgetNow = (): number => (onMarketClock ? market.now() : env.clock.wallNow());
  const openSymbols = (): number =>
    wallets.reduce((sum, wallet) => sum + bookOf(wallet).exposedSymbols().length, 0);
  const budget = createBudget({
    ...plan.budget,
    windowMs: plan.dialect.budget.windowMs,
    exitWeight: () => openSymbols() * EXIT_WEIGHT,
    now: budgetNow,
  });

  const members = new Map(plan.strategies.map((planned) => [planned.name, createMember(planned)]));
  const ownerOf = (wallet: string, symbol: string): string | undefined =>
    plan.strategies.find((one) => one.wallet === wallet && one.symbols.includes(symbol))?.name;

  const pipe: Pipe = createPipe({
    env,
    market,
    journal,
    budget,
    remainingHeader: plan.dialect.headers.weightRemaining.toLowerCase(),
    absentAfterMs: plan.dialect.signing.timestampToleranceSeconds * 1_000 + 35_000,
    concurrency: plan.concurrency,
    at: (time, run) =>
      onMarketClock ? market.at(time, run) : env.timers.after(time - env.clock.wallNow(), run),
    prepare: createPrepare({ plan, market, marks, exposure, refs, bookOf }),
    send: (request) => link.request(request),
    lookUp: createLookUp({ budget, request: (request) => link.request(request) }),
    // The wire learns the offset from every answer's date; the next signature has it.
    learnClock: () => {},
    onEvent: follow,
    onFatal: options.onFatal,
  });

  function createMember(planned: PlannedStrategy) {
    const outcomes$ = new Subject<Outcome>();
    const { name, wallet, strategy, params, symbols, capitalShare } = planned;
    const host = createStrategyHost({
      strategy,
      params,
      instance: name,
      wallet,
      symbols,
      capitalShare,
      market,
      sources: createSources({
        streams,
        market,
        wallet,
        account$: accounts.get(wallet)!,
        outcomes$,
      }),
      state: {
        read: () => {
          const text = store.readState(name);
          return text === undefined ? undefined : (JSON.parse(text) as unknown);
        },
        write: (state) => void store.writeState(name, JSON.stringify(state)),
      },
      random: createRandom(`${plan.seed}/${name}`),
      log: env.log.with({ strategy: name }),
      instrument: (symbol) => plan.instruments.find((record) => record.symbol === symbol),
      onIntent: (emission) => pipe.submit(emission),
      onFault: (fault) => events$.next({ kind: 'strategy_fault', fault }),
    });
    return { host, outcomes$, ledger: createLedger() };
  }

  /** What the pipe says goes to exposure, refs, the strategy and whoever listens. */
  function follow(event: PipeEvent): void {
    const { state, emission, key, record } = event;
    const { instance, intent } = emission;
    if (state === 'accepted') {
      refs.became(instance, intent, record);
      const id = idOf(record);
      if (id === undefined) exposure.remove(key);
      else exposure.becomes(key, id);
    } else if (['denied', 'rejected', 'expired', 'absent'].includes(state)) exposure.remove(key);
    events$.next({ kind: 'intent', event });
    members.get(instance)?.outcomes$.next(toOutcome(event, market.now()));
  }

  function followWallet(wallet: string): void {
    const book = bookOf(wallet);
    const source = streams.wallet(wallet);
    const tellAccount = (): void => {
      const account = book.account();
      if (account === undefined) return;
      for (const { name, wallet: own, capitalShare } of plan.strategies) {
        if (own === wallet) members.get(name)?.ledger.fund(account.equity * capitalShare);
      }
      accounts.get(wallet)!.next(account);
    };
    lifetime.add(
      source.account$.subscribe((model) => {
        book.model(model);
        tellAccount();
      }),
    );
    lifetime.add(source.orders$.subscribe((order) => exposure.seen(order.order_id)));
    lifetime.add(
      source.executionsModel$.subscribe((executions) => {
        book.executions(executions.values());
        for (const id of executions.keys()) exposure.seen(id);
      }),
    );
    lifetime.add(
      source.executions$.subscribe(({ execution }) => {
        const instance = ownerOf(wallet, execution.symbol);
        events$.next({ kind: 'execution', instance, execution });
      }),
    );
    lifetime.add(
      source.fills$.subscribe((fill) => {
        book.fill(fill);
        const instance = ownerOf(wallet, fill.symbol);
        if (instance !== undefined) members.get(instance)?.ledger.fill(fill);
        events$.next({ kind: 'fill', instance, wallet, fill });
      }),
    );
    lifetime.add(
      source.funding$.subscribe(({ symbol, amount }) => {
        book.funding(amount);
        const instance = ownerOf(wallet, symbol);
        if (instance !== undefined) members.get(instance)?.ledger.funding(symbol, amount);
      }),
    );
  }

  function followSymbol(symbol: string): void {
    const interval = plan.markInterval(symbol);
    const owners = plan.strategies.filter(({ symbols }) => symbols.includes(symbol));
    lifetime.add(
      streams.candles(symbol, interval, { history: 1 }).subscribe((event) => {
        if (event.kind !== 'closed') return;
        marks.set(symbol, interval, event.bar);
        for (const { name } of owners) members.get(name)?.ledger.mark(symbol, event.bar.close);
        if (!event.history) events$.next({ kind: 'bar', symbol, bar: event.bar });
      }),
    );
  }

  return {
    events$,
    streams,
    async start() {
      lifetime.add(
        streams.faults$.subscribe((fault) => events$.next({ kind: 'stream_fault', fault })),
      );
      await streams.open();
      const symbols = new Set(plan.strategies.flatMap((one) => one.symbols));
      for (const symbol of symbols) followSymbol(symbol);
      for (const wallet of wallets) followWallet(wallet);
      for (const { host } of members.values()) host.start();
    },
    async stop() {
      for (const { host } of members.values()) host.stop();
      await pipe.close();
      lifetime.unsubscribe();
      await link.close();
      await store.close();
    },
    settled: () => pipe.settled(),
    get sends() {
      return pipe.sends;
    },
    get hosts() {
      return [...members.values()].map(({ host }) => host);
    },
    ledgerOf: (instance) => members.get(instance)!.ledger,
    book: bookOf,
    budget: () => ({ used: budget.status().used, limit: budget.status().limit }),
  };
}

/** The id under which the streams will show what a request became. */
function idOf(record: unknown): string | undefined {
  const { order_id, execution_id } = (record ?? {}) as Record<string, unknown>;
  const id = order_id ?? execution_id;
  return typeof id === 'string' ? id : undefined;
}

function toOutcome(event: PipeEvent, time: number): Outcome {
  const { emission, state, record, fault, guard, reason } = event;
  return {
    state: state as OutcomeState,
    intent: emission.intent,
    decisionKey: emission.decisionKey,
    time,
    ...(record === undefined ? {} : { record }),
    ...(fault === undefined ? {} : { fault }),
    ...(guard === undefined ? {} : { guard }),
    ...(reason === undefined ? {} : { reason }),
  };
}
