/**
 * A bot: link → streams → strategies → pipe → link, joined.
 *
 * Start-up is the only recovery path: subscribe, wait for the first snapshots, take up what the
 * journal holds, start the strategies, and open entries when a second snapshot agrees with what is
 * known by then. Marks and books are subscribed before the strategies, so that a guard knows a bar
 * before the strategy that decides upon it.
 */
import { combineLatest, filter, map, Subject, Subscription, take } from 'rxjs';
import { createBudget, type Budget } from '../budget/index.ts';
import type { Exchange, Scope, ServiceRequest } from '../contract/index.ts';
import type { Env, Link } from '../env/index.ts';
import { createJournal, type JournalStore } from '../journal/index.ts';
import { createStreams } from '../streams/index.ts';
import { after } from './after.ts';
import type { Bot } from './Bot.ts';
import type { BotEvent } from './BotEvent.ts';
import type { BotPlan } from './BotPlan.ts';
import { confirmSnapshots } from './confirmSnapshots.ts';
import { alarmUncovered } from './alarmUncovered.ts';
import { createCoverage } from './createCoverage.ts';
import { createEntryGate } from './createEntryGate.ts';
import { createExposure } from './createExposure.ts';
import { createKillSwitch } from './createKillSwitch.ts';
import { createKeyWatch } from './createKeyWatch.ts';
import { createLookUp } from './createLookUp.ts';
import { createMarks } from './createMarks.ts';
import { createMembers, type MembersOptions, type Threads } from './createMembers.ts';
import { createMoments } from './createMoments.ts';
import { createOwnMonitors } from './createOwnMonitors.ts';
import { createPipe } from './createPipe.ts';
import { createPrepare } from './createPrepare.ts';
import { createRefs, liveIdsOf } from './createRefs.ts';
import { createSettle } from './createSettle.ts';
import { createSlots } from './createSlots.ts';
import { followGate } from './followGate.ts';
import { followOutages } from './followOutages.ts';
import { followSymbol, followWallet } from './followWallet.ts';
import { latchLife, releaseLives } from './latchLife.ts';
import { endAll } from './endAll.ts';
import { endWork } from './endWork.ts';
import { createThrottle } from './createThrottle.ts';
import { learnScope } from './learnScope.ts';
import { learnBudget } from './learnBudget.ts';
import type { PipeEvent } from './PipeEvent.ts';
import { openBooks } from './openBooks.ts';
import { recordIdsOf } from './recordIdsOf.ts';
import { recoverIntents } from './recoverIntents.ts';
import { toOutcome } from './toOutcome.ts';
import { within } from './within.ts';
import { foreignWork, whatWorks } from './whatWorks.ts';

export type { Bot, StopOptions } from './Bot.ts';

export interface BotOptions {
  plan: BotPlan;
  link: Link;
  env: Env;
  store: JournalStore;
  /** Needed where a strategy of the plan has an isolation. */
  threads?: Threads;
  /** The session's own wallet. */
  defaultWallet: string;
  /** A budget that other processes use too; default: one of this process's own. */
  budget?: Budget;
  /** Is given all that goes into a strategy instance, and what comes out. */
  record?: MembersOptions['record'];
  /** The journal failed: nothing more is sent. */
  onFatal(error: unknown): void;
}

/** Weight of a launch: what closing one open position may cost, as reserve for exits. */
const EXIT_WEIGHT = 20;
/** What is found out about an unanswered intent may take minutes; a strategy's exits don't wait for it. */
const RECOVERY_WAIT_MS = 1_000;
const STARTING = 'starting up';
const STOPPING = 'the bot is stopping';
/** What is under way at the end has so long to be concluded. */
const DRAIN_MS = 10_000;
const ENDED: readonly PipeEvent['state'][] = ['denied', 'rejected', 'expired', 'absent'];

export function createBot(options: BotOptions): Bot {
  const { plan, link, env, store, defaultWallet } = options;
  const { market } = link;
  const events$ = new Subject<BotEvent>();
  const lifetime = new Subscription();
  const streams = createStreams({ link, env, defaultWallet });
  const marks = createMarks();
  const exposure = createExposure();
  const gate = createEntryGate((reasons) => {
    events$.next({ kind: 'gate', reasons });
    pipe.reconsider();
  });
  const refs = createRefs((instance) => {
    const member = members.get(instance);
    // Behind a closed gate the books may be of before an outage.
    if (member === undefined || gate.reasons().length > 0) return undefined;
    return liveIdsOf(bookOf(member.planned.wallet));
  });
  const journal = createJournal(store, { clock: env.clock, market });
  const ownMonitors = createOwnMonitors(store);

  const { onFatal } = options;
  const isOwn = (key: string): boolean => journal.holds(key) || ownMonitors.holds(key);
  const books = openBooks({ plan, store, market, marks, isOwn, onFatal });
  const { wallets, bookOf, workOf, symbolsOf } = books;

  const coverage = alarmUncovered(
    createCoverage(() => market.now()),
    {
      market,
      timers: env.timers,
      afterSeconds: plan.guards.warn_uncovered_seconds,
      onAlarm: (alarm) => events$.next({ kind: 'uncovered', alarm }),
    },
  );
  lifetime.add(() => coverage.stop());

  const onMarketClock = plan.budget.clock === 'market';
  const exitWeight = (): number =>
    EXIT_WEIGHT * wallets.reduce((sum, wallet) => sum + bookOf(wallet).exposedSymbols().length, 0);
  const budgetNow = (): number => (onMarketClock ? market.now() : env.clock.monotonicNow());
  const ownBudget = (): Budget =>
    createBudget({
      ...plan.budget,
      windowMs: plan.dialect.budget.windowMs,
      exitWeight,
      // Monotonic, since a wall clock that is set must neither end a wait nor make it endless.
      now: budgetNow,
    });
  const budget = options.budget ?? ownBudget();

  const remainingHeader = plan.dialect.headers.weightRemaining.toLowerCase();
  function request(asked: ServiceRequest): Exchange | Promise<Exchange> {
    const learn = (told: Exchange) => learnBudget(budget, told, remainingHeader);
    return after(link.request(asked), learn);
  }

  const keyWatch = createKeyWatch((code) => events$.next({ kind: 'key_refused', code }));
  const refusedScopes = new Set<Scope>();
  const throttle = createThrottle({
    store,
    env,
    market,
    limit: plan.guards.max_entries_per_hour,
    instances: plan.strategies.map(({ name }) => name),
    onTrip: (instance, reason) => events$.next({ kind: 'throttled', instance, reason }),
    onFatal,
  });
  const slots = createSlots({
    market,
    priceOf: (symbol) => marks.of(symbol)?.price,
    workOf,
    trackedOrders: (wallet) => bookOf(wallet).trackedOrders(),
    submit: (emission) => pipe.submit(emission),
  });
  lifetime.add(() => slots.stop());

  const pipe = createPipe({
    env,
    market,
    journal,
    budget,
    // A clock that is ahead by the tolerance makes a signature good for twice as long.
    absentAfterMs: plan.dialect.signing.timestampToleranceSeconds * 2_000 + 35_000,
    concurrency: plan.concurrency,
    shareOf: (instance) => members.get(instance)?.planned.capitalShare ?? 1,
    at: (time, run) =>
      onMarketClock ? market.at(time, run) : env.timers.after(time - budgetNow(), run),
    whyNoEntry: gate.why,
    isCut: () => kills.level === 'L4',
    isKilled: () => kills.level !== 'L0' || gate.reasons().includes(STOPPING),
    prepare: createPrepare({
      plan,
      market,
      marks,
      exposure,
      refs,
      bookOf,
      gate,
      coverage,
      throttle,
      refusedScopes,
      slots,
    }),
    holdForRow: (newcomer, wake) => slots.hold(newcomer, wake),
    send: request,
    lookUp: createLookUp({ budget, request }),
    // The wire learns the offset from every answer's date; the next signature has it.
    learnClock: () => {},
    onEvent: follow,
    onFatal,
  });

  const kills = createKillSwitch({
    env,
    market,
    store,
    gate,
    symbolsOf,
    atWork: () => wallets.map(workOf),
    pipe,
    cutWire: () => void pipe.close(),
    onLevel: (latch) => events$.next({ kind: 'kill', latch }),
  });

  const members = createMembers({
    record: options.record,
    plan,
    env,
    market,
    streams,
    store,
    // The book hears of a change before any strategy does.
    accountOf: (wallet) =>
      streams.wallet(wallet).account$.pipe(map(() => bookOf(wallet).account()!)),
    marks,
    threads: options.threads,
    onIntent: pipe.submit,
    onFault: (fault) => events$.next({ kind: 'strategy_fault', fault }),
    onLife(life) {
      events$.next({ kind: 'strategy_life', life });
      void latchLife(store, life, env.clock.wallNow()).catch(onFatal);
    },
    onFatal,
  });

  /** What the pipe says goes to exposure, refs, the strategy and whoever listens. */
  function follow(event: PipeEvent): void {
    const { state, emission, key, record, fault } = event;
    const { instance, intent } = emission;
    if (fault !== undefined) learnScope(refusedScopes, fault);
    if (state === 'accepted') {
      refs.became(instance, intent, record);
      ownMonitors.became(intent, record);
      exposure.becomes(key, recordIdsOf(record), market.now());
    } else if (ENDED.includes(state)) exposure.remove(key);
    events$.next({ kind: 'intent', event });
    keyWatch.intent(event);
    const outcomes$ = members.get(instance)?.outcomes$;
    if (outcomes$?.observed === true) outcomes$.next(toOutcome(event, market.now()));
    slots.follow(event);
  }

  const snapshots$ = combineLatest(wallets.map((wallet) => streams.wallet(wallet).account$));

  /** With the first snapshot of every wallet: the journal, then the strategies. */
  async function begin(): Promise<void> {
    for (const { planned, ledger } of members.values()) {
      for (const symbol of planned.symbols) {
        const position = bookOf(planned.wallet).positionRecord(symbol);
        if (position !== undefined) ledger.adopt(position);
      }
    }
    const { remaining } = plan.budget;
    if (remaining !== undefined) budget.learnRemaining(remaining);
    const report = recoverIntents({
      store,
      clock: env.clock,
      market,
      pipe,
      exposure,
      refs,
      instances: [...members.keys()],
    });
    kills.look();
    if (report.sent + report.resumed > 0)
      await within(env.timers, pipe.settled(), RECOVERY_WAIT_MS);
    events$.next({ kind: 'recovered', report });
    for (const works of foreignWork(wallets.map(workOf), symbolsOf))
      events$.next({ kind: 'foreign', works });
    void releaseLives(store, members.keys(), env.clock.wallNow()).catch(onFatal);
    for (const { host } of members.values()) host.start();
    const onConfirmed = (): void => {
      gate.open(STARTING);
      slots.open();
    };
    lifetime.add(confirmSnapshots(streams, wallets, onConfirmed));
  }

  let begun: Promise<void> = Promise.resolve();
  let hasBegun = true;

  const ledgers = [...members.values()].map(({ ledger }) => ledger);
  const moments = createMoments();
  moments.listen(() => {
    for (let at = 0; at < ledgers.length; at++) ledgers[at]!.judge();
  });
  const onBar = (): void => {
    for (let at = 0; at < books.all.length; at++) books.all[at]!.sample();
    env.metrics.gauge('uncovered_exposure_seconds', coverage.exposureSeconds());
  };

  return {
    events$,
    onMoment: moments.listen,
    get moment() {
      return moments.newest();
    },
    streams,
    coverage,
    kill: (level, reason) => kills.kill(level, reason),
    async rearm(reason) {
      refusedScopes.clear();
      // First, so that a kill that comes while the throttle is written is a kill after it.
      await kills.rearm(reason);
      await throttle.rearm(reason);
    },
    settle: createSettle({ journal, isRunning: true, onEvent: follow }),
    get killLevel() {
      return kills.level;
    },
    async start() {
      gate.close(STARTING);
      kills.restore();
      throttle.restore();
      lifetime.add(
        streams.faults$.subscribe((fault) => events$.next({ kind: 'stream_fault', fault })),
      );
      lifetime.add(streams.status$.subscribe(keyWatch.status));
      await streams.open();
      const views = { plan, streams, members, marks, exposure, coverage, moments, events$, onBar };
      for (const symbol of books.symbols) lifetime.add(followSymbol(symbol, views));
      for (const wallet of wallets)
        lifetime.add(followWallet(wallet, { ...views, book: bookOf(wallet) }));
      lifetime.add(followGate(streams, wallets, gate));
      const { resyncMs } = plan;
      lifetime.add(followOutages({ streams, wallets, env, market, budget, request, resyncMs }));
      const complete$ = snapshots$.pipe(
        filter((models) => models.every(({ complete }) => complete)),
        take(1),
      );
      lifetime.add(
        complete$.subscribe(() => {
          hasBegun = false;
          begun = begin()
            .catch(onFatal)
            .finally(() => (hasBegun = true));
        }),
      );
    },
    async stop({ policy = 'leave', drainMs = DRAIN_MS, onEnded } = {}) {
      const stopping = [...members.values()].map(async ({ host }) => host.stop());
      kills.stop();
      // An entry that waits would come after what ends the entries.
      if (policy !== 'leave') gate.close(STOPPING);
      const isShown = (): boolean =>
        (policy === 'leave' && onEnded === undefined) ||
        wallets.every((wallet) => exposure.symbols(wallet).length === 0);
      const parts = { wallets, env, market, workOf, symbolsOf, submit: pipe.submit, isShown };
      await endAll([
        () => endWork({ ...parts, policy, limitMs: drainMs, settled: () => pipe.settled() }),
        () => within(env.timers, pipe.close(), drainMs),
        () =>
          onEnded?.(wallets.map((wallet) => whatWorks(workOf(wallet), symbolsOf(wallet), 'own'))),
        // A strategy in a thread may write its state to the last.
        ...stopping.map((stopped) => () => stopped),
        () => lifetime.unsubscribe(),
        () => link.close(),
        () => store.close(),
      ]);
    },
    settled: () => begun.then(() => pipe.settled()),
    flush: () => pipe.flush(),
    isIdle: () => hasBegun && pipe.isIdle(),
    get sends() {
      return pipe.sends();
    },
    get hosts() {
      return [...members.values()].map(({ host }) => host);
    },
    ledgerOf: (instance) => members.get(instance)!.ledger,
    book: bookOf,
    budget: () => ({ used: budget.status().used, limit: budget.status().limit }),
    budgetUse: () => budget.use(),
    exitWeight,
  };
}
