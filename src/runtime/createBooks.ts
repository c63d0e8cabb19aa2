/**
 * The first part of a bot holds its state: streams, marks, the book of each wallet, exposure, coverage, what
 * the bot bought, and the budget that queries about it spend. Nothing here makes or sends a decision.
 */
import { filter, map, Subscription } from 'rxjs';
import { readWeight, type Budget } from '../budget/index.ts';
import type { Exchange, ServiceRequest } from '../contract/index.ts';
import { reasonOf, within, type Env, type Link } from '../env/index.ts';
import { createJournal, type JournalStore } from '../journal/index.ts';
import { createStreams, Emitter } from '../streams/index.ts';
import {
  alarmUncovered,
  createAccepted,
  createAskedStreams,
  createAtWork,
  createCoverage,
  createExposure,
  createHoldings,
  createLearning,
  createMarks,
  createRefLog,
  createSnapshotCoverage,
  persistUncovered,
  openBooks,
  readStops,
  readWork,
  type Unreadable,
  type WorkKind,
} from './wallet/index.ts';
import type { BotEvent } from './BotEvent.ts';
import type { BotPlan } from './BotPlan.ts';
import { createSpans } from './createSpans.ts';
import { createKeyWatch, createOwnership, createStages } from './control/index.ts';
import { createInstants } from './record/index.ts';
import { createOwnBudget, createRequest, learnBudget } from './links/index.ts';

export interface BooksOfBotOptions {
  plan: BotPlan;
  link: Link;
  env: Env;
  store: JournalStore;
  /** The session's own wallet. */
  defaultWallet: string;
  /** A budget shared with other processes; default: one of this process alone. */
  budget?: Budget;
  /** Name of the key that signs; default: there is one key for ever. */
  keyInUse?: () => string;
  /** The journal failed: nothing more is sent. */
  onFatal(error: unknown): void;
}

const LEARN_WAIT_MS = 1_000;

type OnUnreadable = (one: Unreadable) => void;

export type BooksOfBot = ReturnType<typeof createBooks>;

export function createBooks(options: BooksOfBotOptions) {
  const { plan, link, env, store, defaultWallet, onFatal } = options;
  const { market } = link;
  const events$ = new Emitter<BotEvent>();
  /** Everything that subscribes ends with it. */
  const lifetime = new Subscription();
  const streams = createStreams({
    link,
    env,
    defaultWallet,
    lacks: plan.dialect.stream.lacks,
    onJoin: () => spans.interrupt(),
    read(asked) {
      const weight = readWeight(plan.dialect, asked);
      if (!budget.admit('read', weight).admitted) return undefined;
      budget.spend(weight, 'read');
      return request(asked);
    },
  });
  const journal = createJournal(store, { clock: env.clock, market });
  const instants = createInstants();
  const spans = createSpans({ instants, books: () => books.all });
  spans.offer(link, streams.lane);
  const marks = createMarks(spans.settle);
  const exposure = createExposure();
  const accepted = createAccepted(store, env.clock);
  const refLogs = new Map(plan.strategies.map(({ name }) => [name, createRefLog()]));
  const books = openBooks({
    plan,
    store,
    market,
    marks,
    onTransfer: (transfer) =>
      env.log.warn(
        'Funds were moved beside the trades; the day’s result leaves them out',
        transfer,
      ),
    onFatal,
  });
  const { wallets, bookOf, symbolsOf } = books;

  const ownership = createOwnership({ plan, store, clock: env.clock, onFatal });
  const { isIgnored } = ownership;
  const { max_uncovered_seconds: most, warn_uncovered_seconds: warn } = plan.guards;
  const persisted = (most ?? warn) === undefined ? undefined : persistUncovered(store, onFatal);
  const coverage = alarmUncovered(
    createCoverage({ now: () => market.now(), isIgnored, persisted }),
    {
      market,
      timers: env.timers,
      afterSeconds: warn,
      onAlarm: (alarm) => events$.next({ kind: 'uncovered', alarm }),
    },
  );
  lifetime.add(() => coverage.stop());

  /** Closing an open position may cost a launch; as much is reserved for it. */
  const closeWeight = plan.dialect.endpoints['executions.launch'].weight;
  const exitWeight = (): number =>
    closeWeight * wallets.reduce((sum, wallet) => sum + bookOf(wallet).exposedSymbols().length, 0);
  const clocked = createOwnBudget({ plan, env, market, exitWeight });
  const budget = options.budget ?? clocked.create();
  const keyWatch = createKeyWatch((code) => events$.next({ kind: 'key_refused', code }));
  const learning = learnBudget(budget, {
    remainingHeader: plan.dialect.headers.weightRemaining.toLowerCase(),
    wallNow: () => env.clock.wallNow(),
  });
  const request = createRequest(link, { learning, leaves: keyWatch.leaves });

  const isOwn = (key: string): boolean => journal.holds(key) || accepted.holds(key);
  const snapshots = new Map(wallets.map((wallet) => [wallet, createSnapshotCoverage()]));
  const common = { plan, env, market, store, streams, accepted, wallets, bookOf, onFatal };
  const onLeft = (left: { wallet: string; symbol: string; size: number }): void =>
    events$.next({ kind: 'holding_left', ...left });
  const holdings = createHoldings({ ...common, isOwn, budget, request, onLeft, lifetime });

  const learn = createLearning(store);
  /** For what must not wait for a database, nor end with it: a kill level and a stop go on with what is known. */
  async function learnSoon(open: Parameters<typeof learn>[0]): Promise<void> {
    const learned = learn(open)?.catch((error: unknown) => {
      env.log.warn('Whether some open records are the bot’s own can’t be looked up', {
        reason: reasonOf(error),
      });
    });
    if (learned !== undefined) await within(env.timers, learned, LEARN_WAIT_MS);
  }
  const workOf = createAtWork({ bookOf, accepted, holdings, isOwn });
  let isConnected = false;
  lifetime.add(streams.status$.subscribe(({ state }) => (isConnected = state === 'open')));

  const reading = (wallet: string) => {
    const { dialect } = plan;
    const isOver = (): boolean => lifetime.closed;
    return { env, budget, dialect, request, accepted, known: workOf(wallet), isConnected, isOver };
  };

  return {
    ...common,
    link,
    keyInUse: options.keyInUse ?? ((): string => ''),
    journal,
    events$,
    lifetime,
    marks,
    exposure,
    refLogs,
    ownership,
    coverage,
    holdings,
    budget,
    learning,
    request,
    keyWatch,
    /** A read for an operator's command, as far as the rate budget has room for it. */
    readRecord(asked: ServiceRequest): Exchange | Promise<Exchange> {
      const weight = readWeight(plan.dialect, asked);
      if (!budget.admit('lookup', weight).admitted)
        return { kind: 'not_sent', reason: 'the rate budget has no room for it now' };
      budget.spend(weight, 'lookup');
      return request(asked);
    },
    exitWeight,
    /** Waits on the clock by which the budget is counted. */
    at: clocked.at,
    /** Which instance asked for which stream. */
    asked: createAskedStreams(),
    instants,
    spans,
    deferred: spans.deferred,
    stages: createStages({ strategies: plan.strategies, store, clock: env.clock }),
    symbols: books.symbols,
    all: books.all,
    symbolsOf,
    snapshotsOf: (wallet: string) => snapshots.get(wallet)!,
    /** A wallet's fills, except what its position held when it was taken over: a list reaches back before the process. */
    fillsOf: (wallet: string) =>
      streams.wallet(wallet).fills$.pipe(filter((fill) => !snapshots.get(wallet)!.isEarlier(fill))),
    isOwn,
    learn,
    learnSoon,
    workOf,
    /** Reads the open records of some kinds from the service, until a monotonic time; default: of all. */
    async read(
      wallet: string,
      until: number,
      kinds?: readonly WorkKind[],
      onUnreadable?: OnUnreadable,
    ) {
      const read = await readWork({ ...reading(wallet), until, kinds, onUnreadable });
      await learnSoon(read.work);
      return read;
    },
    /** The same of the legs on open positions. */
    readStops: (wallet: string, until: number, onUnreadable: OnUnreadable) =>
      readStops({ ...reading(wallet), until, onUnreadable }),
    /** A wallet's account according to its book, which receives a change before any strategy does. */
    accountOf: (wallet: string) =>
      streams.wallet(wallet).account$.pipe(map(() => bookOf(wallet).account()!)),
    /** The equity of that account: most strategies read no more of it. */
    equityOf: (wallet: string) =>
      streams.wallet(wallet).account$.pipe(map(() => bookOf(wallet).equity()!)),
  };
}
