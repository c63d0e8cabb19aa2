/**
 * A bot: link → streams → strategies → pipe → link. Three parts, each complete before the next receives it:
 * books (the state), control (what is allowed), outlet (what goes out); then the parts that decide: the
 * strategies, the kill switch and the stop.
 */
import type { Bot, BotOptions } from './Bot.ts';
import { createBooks } from './createBooks.ts';
import { createControl } from './createControl.ts';
import {
  createClosures,
  createKillSwitch,
  confirmKey,
  createPromote,
  createSpotPositions,
  lastKeyChange,
  listUnanswered,
  listWaitingExits,
  rotateKey,
  stopBot,
} from './control/index.ts';
import { createOutlet, STOPPING } from './createOutlet.ts';
import { createSettle } from './recovery/index.ts';
import { createTeam } from './createTeam.ts';
import { createStart, explainUnknown } from './startBot.ts';

export type { Bot, BotOptions } from './Bot.ts';

export function createBot(options: BotOptions): Bot {
  const books = createBooks(options);
  const control = createControl(books, options.decisions ?? []);
  const outlet = createOutlet(books, control, (instance) => members.get(instance)!.host.isOver);
  const { store, events$, lifetime, streams, wallets, holdings, budget } = books;
  const { gate, throttle, endedOf, outbox } = control;
  const { pipe } = outlet;
  const { members, catchUp } = createTeam(books, outlet, options);

  /** Dependencies of the parts that end open records and confirm it. */
  const ending = {
    ...books,
    ...control,
    symbolsOf: endedOf,
    submit: outbox.submit,
    isPending: pipe.isPending,
    settled: () => pipe.settled(),
  };
  let isRotationRefused = false;
  /** What a flatten of a wallet leaves: others' spot, and what an operator keeps. */
  const reportLeft = (wallet: string): void => {
    holdings.reportLeft(wallet);
    control.owners.reportLeft(wallet);
  };
  const kills = createKillSwitch({
    ...ending,
    atWork: () => wallets.map(books.workOf),
    acceptedCount: () => books.accepted.count,
    cutWire: () => void pipe.close(),
    onLevel(latch) {
      if (latch.level === 'L3') wallets.forEach(reportLeft);
      events$.next({ kind: 'kill', latch });
    },
  });
  const promote = createPromote({
    strategies: options.plan.strategies,
    stages: books.stages,
    workOf: books.workOf,
    explainUnknown: (wallet) => explainUnknown(books.bookOf(wallet), gate.reasons(wallet)),
    exposedSymbols: (wallet) => books.exposure.symbols(wallet),
    isRecording: options.record !== undefined,
    replace: (instance) => members.get(instance)!.host.replace(),
    onTaken: (taken) => events$.next({ kind: 'strategy_stage', taken }),
  });
  const spotPositions = createSpotPositions({
    ...books,
    owners: control.owners,
    ledgerOf: (instance) => members.get(instance)?.ledger,
  });
  const closures = createClosures({ ...books, ...control });
  const start = createStart({ books, control, outlet, members, kills });

  return {
    events$,
    onInstant: books.instants.listen,
    get instant() {
      return books.instants.newest();
    },
    streams,
    coverage: books.coverage,
    kill: (level, reason) => kills.kill(level, reason),
    killed: () => kills.unended(),
    async rearm(reason) {
      control.refusedScopes.clear();
      // Subscribed first, so that a kill that arrives while the throttle is written counts as a later one.
      await kills.rearm(reason);
      await throttle.rearm(reason);
    },
    async pauseStrategy(instance, reason) {
      const durable = control.pauses.pause(instance, reason);
      // What waits for its turn may no longer be sent.
      pipe.reconsider();
      await durable;
    },
    resumeStrategy: control.pauses.resume,
    promote,
    stageOf: books.stages.of,
    paused: gate.closedStrategy,
    keyRotated(rotation) {
      const time = options.env.clock.wallNow();
      isRotationRefused = false;
      const durable = rotateKey(rotation, { ...books, ...control, time });
      events$.next({ kind: 'key_rotated', rotation });
      return durable;
    },
    lastKeyChange: (keyId) => lastKeyChange(store, keyId),
    keyConfirmed: (rotation) => confirmKey(store, rotation, options.env.clock.wallNow()),
    keyRotationRefused(reason) {
      if (reason === null && !isRotationRefused) return;
      isRotationRefused = reason !== null;
      events$.next({ kind: 'key_rotation_refused', reason });
    },
    keyAccepted() {
      control.keyWatch.accepted();
      events$.next({ kind: 'key_accepted' });
    },
    throttled: throttle.latched,
    async audit(what, reason) {
      const time = options.env.clock.wallNow();
      await store.setLatch('operator', { value: what, reason, time });
    },
    settle: createSettle({
      journal: books.journal,
      isRunning: true,
      read: books.readRecord,
      onEvent: outlet.follow,
    }),
    get killLevel() {
      return kills.level;
    },
    start: () => start.open(),
    async stop(stopOptions = {}) {
      const stopping = [...members.values()].map(async ({ host }) => host.stop());
      kills.stop();
      catchUp.flush();
      // Otherwise a waiting entry could be sent after the requests that end entries.
      if ((stopOptions.policy ?? 'leave') !== 'leave') gate.close(STOPPING);
      if (stopOptions.policy === 'flatten') wallets.forEach(reportLeft);
      const parts = {
        ...ending,
        stopping,
        isShown: () => wallets.every((wallet) => books.exposure.symbols(wallet).length === 0),
        unanswered: () => listUnanswered(store),
        waiting: () => listWaitingExits(store),
        closePipe: () => pipe.close(),
        unsubscribe: () => lifetime.unsubscribe(),
        closeLink: () => options.link.close(),
        closeStore: (withinMs: number) => store.close(withinMs),
      };
      await stopBot(parts, stopOptions);
    },
    settled: () => start.begun().then(() => pipe.settled()),
    flush: () => pipe.flush(),
    isIdle: () => start.isDone() && pipe.isIdle(),
    get isConfirming() {
      return start.isConfirming();
    },
    get sends() {
      return pipe.sends();
    },
    get hosts() {
      return [...members.values()].map(({ host }) => host);
    },
    ledgerOf: (instance) => members.get(instance)!.ledger,
    book: books.bookOf,
    mark: books.marks.worth,
    ownerOf: control.owners.standingOf,
    spotPositions,
    unanswered: () => listUnanswered(store),
    closedSymbols: closures.ofSymbols,
    closedWallet: closures.ofWallet,
    budget: () => budget.status(),
    budgetUse: () => budget.use(),
    exitWeight: books.exitWeight,
  };
}
