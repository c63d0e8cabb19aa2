/**
 * A bot: link → streams → strategies → pipe → link, joined.
 *
 * Start-up is the only recovery path: subscribe, wait for the first snapshots, read the journal, start the
 * strategies, and open entries when a second snapshot agrees with what is known by then. Marks and books
 * are subscribed before the strategies, so that a guard knows a bar before who decides upon it.
 */
import { combineLatest, filter, map, Subject, Subscription, take } from 'rxjs';
import type { Budget } from '../budget/index.ts';
import type { Scope } from '../contract/index.ts';
import type { Env, Link } from '../env/index.ts';
import { createJournal, type JournalStore } from '../journal/index.ts';
import type { Emission } from '../strategy/Emission.ts';
import { createStreams } from '../streams/index.ts';
import { adoptPositions } from './adoptPositions.ts';
import type { Bot } from './Bot.ts';
import type { BotEvent } from './BotEvent.ts';
import type { BotPlan } from './BotPlan.ts';
import { confirmSnapshots } from './confirmSnapshots.ts';
import { alarmUncovered } from './alarmUncovered.ts';
import { createAccepted } from './createAccepted.ts';
import { createAskedStreams } from './createAskedStreams.ts';
import { createCatchUp } from './createCatchUp.ts';
import { createCoverage } from './createCoverage.ts';
import { createDecisionAge } from './createDecisionAge.ts';
import { createEntryGate } from './createEntryGate.ts';
import { createExposure } from './createExposure.ts';
import { createHoldings, type Holding } from './createHoldings.ts';
import { createKillSwitch } from './createKillSwitch.ts';
import { createKeyWatch } from './createKeyWatch.ts';
import { createLookUp } from './createLookUp.ts';
import { createMarks } from './createMarks.ts';
import { createMembers, type MembersOptions, type Threads } from './createMembers.ts';
import { createMoments } from './createMoments.ts';
import { createOwners, type OwnerDecision } from './createOwners.ts';
import { createOwnBudget } from './createOwnBudget.ts';
import { createPipe } from './createPipe.ts';
import { createPrepare } from './createPrepare.ts';
import { createReferences } from './createReferences.ts';
import { createRefs, liveIdsOf } from './createRefs.ts';
import { createRequest } from './createRequest.ts';
import { createSettle } from './createSettle.ts';
import { createSlots } from './createSlots.ts';
import { followStreams } from './followStreams.ts';
import { latchLife, releaseLives } from './latchLife.ts';
import { createThrottle } from './createThrottle.ts';
import { learnScope } from './learnScope.ts';
import { listUnanswered } from './listUnanswered.ts';
import type { PipeEvent } from './PipeEvent.ts';
import { openBooks } from './openBooks.ts';
import { readWork } from './readWork.ts';
import { clientNameOf, recordIdsOf } from './recordIdsOf.ts';
import { reattachStops, type LostStop } from './reattachStops.ts';
import { recoverIntents } from './recoverIntents.ts';
import { reportTakeOver, type TakeOver } from './reportTakeOver.ts';
import { stopBot } from './stopBot.ts';
import { toOutcome } from './toOutcome.ts';
import { within } from './within.ts';
import { foreignWork } from './whatWorks.ts';

export type { Bot } from './Bot.ts';
export type { StopOptions } from './stopBot.ts';

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
  /** What a person says at this start of positions that nobody owns. */
  decisions?: readonly OwnerDecision[];
  /** The journal failed: nothing more is sent. */
  onFatal(error: unknown): void;
}

/** Weight of a launch: what closing one open position may cost, as reserve for exits. */
const EXIT_WEIGHT = 20;
/** What is found out about an unanswered intent may take minutes; a strategy's exits don't wait for it. */
const RECOVERY_WAIT_MS = 1_000;
const STARTING = 'starting up';
const STOPPING = 'the bot is stopping';
const ENDED: readonly PipeEvent['state'][] = ['denied', 'rejected', 'expired', 'absent'];

export function createBot(options: BotOptions): Bot {
  const { plan, link, env, store, defaultWallet, decisions = [], onFatal } = options;
  const { market } = link;
  const { present, whyTooOld } = createDecisionAge(link, plan.guards);
  const events$ = new Subject<BotEvent>();
  const lifetime = new Subscription();
  const streams = createStreams({ link, env, defaultWallet });
  const marks = createMarks();
  const exposure = createExposure();
  const gate = createEntryGate((reasons) => {
    events$.next({ kind: 'gate', reasons });
    pipe.reconsider();
  });
  const refs = createRefs({
    liveOf(instance) {
      const member = members.get(instance);
      // Behind a closed gate the books may be of before an outage.
      if (member === undefined || gate.reasons().length > 0) return undefined;
      return liveIdsOf(bookOf(member.planned.wallet));
    },
    executionOf(instance, clientId) {
      const wallet = members.get(instance)?.planned.wallet;
      return wallet === undefined ? undefined : bookOf(wallet).executionOf(clientId);
    },
  });
  const journal = createJournal(store, { clock: env.clock, market });
  const accepted = createAccepted(store);

  const isOwn = (key: string): boolean => journal.holds(key) || accepted.holds(key);
  const holdingsOf = (wallet: string): readonly Holding[] => holdings.sellable(wallet);
  const books = openBooks({ plan, store, market, marks, accepted, isOwn, holdingsOf, onFatal });
  const { wallets, bookOf, workOf, symbolsOf } = books;
  const common = { plan, env, market, store, streams, accepted, wallets, bookOf, workOf, onFatal };

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

  const exitWeight = (): number =>
    EXIT_WEIGHT * wallets.reduce((sum, wallet) => sum + bookOf(wallet).exposedSymbols().length, 0);
  const clocked = createOwnBudget({ plan, env, market, exitWeight });
  const budget = options.budget ?? clocked.create();

  const request = createRequest(link, budget, plan.dialect);
  const holdings = createHoldings({ ...common, isOwn, budget, request, events$, lifetime });
  const read = (wallet: string, until: number) =>
    readWork({ env, budget, dialect: plan.dialect, request, accepted, wallet, until });

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

  const submit = (emission: Emission): void => holdings.pass(emission, pipe.submit);
  const owners = createOwners({ ...common, clock: env.clock, decisions, holdings, submit });
  const onLost = (lost: LostStop): void => events$.next({ kind: 'stop_lost', lost });
  const reattach = reattachStops({ ...common, coverage, symbolsOf, submit, onLost });
  /** A position of the bot's that lost its strategy is made flat with the others. */
  const endedOf = (wallet: string) => [...symbolsOf(wallet), ...owners.orphans(wallet)];

  const pipe = createPipe({
    env,
    market,
    journal,
    budget,
    // A clock that is ahead by the tolerance makes a signature good for twice as long.
    absentAfterMs: plan.dialect.signing.timestampToleranceSeconds * 2_000 + 35_000,
    concurrency: plan.concurrency,
    held: link.held,
    shareOf: (instance) => members.get(instance)?.planned.capitalShare ?? 1,
    at: clocked.at,
    whyNoEntry: gate.why,
    whyTooOld,
    isCut: () => kills.level === 'L4',
    isKilled: () => kills.level !== 'L0' || gate.reasons().includes(STOPPING),
    prepare: createPrepare({
      plan,
      market,
      present,
      marks,
      exposure,
      refs,
      bookOf,
      gate,
      coverage,
      throttle,
      refusedScopes,
      slots,
      owners,
      references: createReferences({ bookOf, budget, market, request }),
    }),
    holdForRow: (newcomer, wake) => slots.hold(newcomer, wake),
    send: request,
    lookUp: createLookUp({ budget, pageMax: plan.dialect.limits.pageMax, request }),
    // The wire learns the offset from every answer's date; the next signature has it.
    learnClock: () => {},
    onEvent: follow,
    onFatal,
  });

  const catchUp = createCatchUp({ timers: env.timers, submit: pipe.submit });
  const kills = createKillSwitch({
    env,
    market,
    store,
    gate,
    symbolsOf: endedOf,
    atWork: () => wallets.map(workOf),
    pipe: { submit, isPending: pipe.isPending },
    read,
    settled: () => pipe.settled(),
    acceptedCount: () => accepted.count,
    cutWire: () => void pipe.close(),
    onLevel: (latch) => events$.next({ kind: 'kill', latch }),
  });

  const asked = createAskedStreams();
  const members = createMembers({
    record: options.record,
    ...common,
    // The book hears of a change before any strategy does.
    accountOf: (wallet) =>
      streams.wallet(wallet).account$.pipe(map(() => bookOf(wallet).account()!)),
    marks,
    asked,
    threads: options.threads,
    onIntent: catchUp.take,
    onFault: (fault) => events$.next({ kind: 'strategy_fault', fault }),
    onNotice: (instance, notice) => events$.next({ kind: 'strategy_notice', instance, notice }),
    onLife(life) {
      events$.next({ kind: 'strategy_life', life });
      void latchLife(store, life, env.clock.wallNow()).catch(onFatal);
    },
  });

  /** What the pipe says goes to exposure, refs, the strategy and whoever listens. */
  function follow(event: PipeEvent): void {
    const { state, emission, key, record, fault } = event;
    const { instance, intent } = emission;
    if (fault !== undefined) learnScope(refusedScopes, fault);
    if (state === 'accepted') {
      refs.became(instance, intent, record);
      accepted.became(emission, record);
      exposure.becomes(key, recordIdsOf(record), market.now(), clientNameOf(record));
    } else if (ENDED.includes(state)) exposure.remove(key);
    events$.next({ kind: 'intent', event });
    keyWatch.intent(event);
    const outcomes$ = members.get(instance)?.outcomes$;
    if (outcomes$?.observed === true) outcomes$.next(toOutcome(event, market.now()));
    slots.follow(event);
    reattach.follow(event);
  }

  const snapshots$ = combineLatest(wallets.map((wallet) => streams.wallet(wallet).account$));

  /** With the first snapshot of every wallet: the journal, then the strategies. */
  async function begin(): Promise<void> {
    adoptPositions(members.values(), bookOf);
    if (plan.budget.remaining !== undefined) budget.learnRemaining(plan.budget.remaining);
    const counted = holdings.begin();
    if (counted !== undefined) await within(env.timers, counted, RECOVERY_WAIT_MS);
    owners.look();
    const report = recoverIntents({
      ...common,
      clock: env.clock,
      pipe,
      exposure,
      refs,
      instances: [...members.keys()],
    });
    kills.look();
    owners.flatten();
    if (report.sent + report.resumed > 0)
      await within(env.timers, pipe.settled(), RECOVERY_WAIT_MS);
    events$.next({ kind: 'recovered', report });
    for (const works of foreignWork(wallets.map(workOf), symbolsOf))
      events$.next({ kind: 'foreign', works });
    const onFound = (takeOver: TakeOver): void => events$.next({ kind: 'taken_over', takeOver });
    lifetime.add(reportTakeOver({ ...common, timers: env.timers, owners, holdings }, onFound));
    void releaseLives(store, members.keys(), env.clock.wallNow()).catch(onFatal);
    for (const { host } of members.values()) host.start();
    lifetime.add(reattach.start());
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
    env.metrics.gauge('uncovered_seconds', coverage.totalSeconds());
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
    killed: () => kills.unended(),
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
      lifetime.add(streams.faults$.subscribe((fault) => events$.next(asked.toEvent(fault))));
      lifetime.add(streams.status$.subscribe(keyWatch.status));
      await streams.open();
      const views = { ...common, members, marks, exposure, coverage, moments, events$, onBar };
      lifetime.add(followStreams({ ...views, symbols: books.symbols, gate, budget, request }));
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
    async stop(stopOptions = {}) {
      const stopping = [...members.values()].map(async ({ host }) => host.stop());
      kills.stop();
      catchUp.flush();
      // An entry that waits would come after what ends the entries.
      if ((stopOptions.policy ?? 'leave') !== 'leave') gate.close(STOPPING);
      if (stopOptions.policy === 'flatten') wallets.forEach(holdings.reportLeft);
      const parts = {
        ...common,
        symbolsOf: endedOf,
        read,
        stopping,
        submit,
        isPending: pipe.isPending,
        settled: () => pipe.settled(),
        isShown: () => wallets.every((wallet) => exposure.symbols(wallet).length === 0),
        unanswered: () => listUnanswered(store),
        closePipe: () => pipe.close(),
        unsubscribe: () => lifetime.unsubscribe(),
        closeLink: () => link.close(),
        closeStore: () => store.close(),
      };
      await stopBot(parts, stopOptions);
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
