/**
 * A bot: link → streams → strategies → pipe → link. Three parts, each built whole before the next gets it:
 * books (what is), control (what may), outlet (what goes out); then those who decide, the strategies and
 * whoever kills or stops it.
 */
import type { Bot } from './Bot.ts';
import { createBooks, type BooksOfBotOptions } from './createBooks.ts';
import { createCatchUp } from './createCatchUp.ts';
import { createControl } from './createControl.ts';
import { createKillSwitch } from './createKillSwitch.ts';
import { createMembers, type MembersOptions, type Threads } from './createMembers.ts';
import { createOutlet, STOPPING } from './createOutlet.ts';
import type { OwnerDecision } from './createOwners.ts';
import { createSettle } from './createSettle.ts';
import { createStart } from './startBot.ts';
import { latchLife } from './latchLife.ts';
import { listUnanswered } from './listUnanswered.ts';
import { stopBot } from './stopBot.ts';
import { toOutcome } from './toOutcome.ts';

export type { Bot } from './Bot.ts';
export type { StopOptions } from './stopBot.ts';

export interface BotOptions extends BooksOfBotOptions {
  /** Needed where a strategy of the plan has an isolation. */
  threads?: Threads;
  /** Is given all that goes into a strategy instance, and what comes out. */
  record?: MembersOptions['record'];
  /** What a person says at this start of positions that have no owner. */
  decisions?: readonly OwnerDecision[];
}

export function createBot(options: BotOptions): Bot {
  const books = createBooks(options);
  const control = createControl(books, options.decisions ?? []);
  const outlet = createOutlet(books, control);
  const { env, market, store, events$, lifetime, streams, wallets, holdings, budget } = books;
  const { gate, throttle, endedOf, outbox } = control;
  const { pipe } = outlet;
  const catchUp = createCatchUp({ timers: env.timers, submit: pipe.submit });

  const members = createMembers({
    ...books,
    record: options.record,
    threads: options.threads,
    onIntent: catchUp.take,
    onFault: (fault) => events$.next({ kind: 'strategy_fault', fault }),
    onNotice: (instance, notice) => events$.next({ kind: 'strategy_notice', instance, notice }),
    onLife(life) {
      events$.next({ kind: 'strategy_life', life });
      void latchLife(store, life, env.clock.wallNow()).catch(options.onFatal);
    },
  });
  const ledgers = [...members.values()].map(({ ledger }) => ledger);
  // Before whoever records the bot: a moment is valued by figures that are whole.
  books.moments.listen(() => {
    for (let at = 0; at < ledgers.length; at++) ledgers[at]!.judge();
  });
  outlet.outcomes$.subscribe((event) => {
    const outcomes$ = members.get(event.emission.instance)?.outcomes$;
    if (outcomes$?.observed === true) outcomes$.next(toOutcome(event, market.now()));
  });

  /** What those need who end what is at work, and find out whether it has ended. */
  const ending = {
    ...books,
    ...control,
    symbolsOf: endedOf,
    submit: outbox.submit,
    isPending: pipe.isPending,
    settled: () => pipe.settled(),
  };
  const kills = createKillSwitch({
    ...ending,
    atWork: () => wallets.map(books.workOf),
    acceptedCount: () => books.accepted.count,
    cutWire: () => void pipe.close(),
    onLevel(latch) {
      if (latch.level === 'L3') wallets.forEach(holdings.reportLeft);
      events$.next({ kind: 'kill', latch });
    },
  });
  const start = createStart({ books, control, outlet, members, kills });

  return {
    events$,
    onMoment: books.moments.listen,
    get moment() {
      return books.moments.newest();
    },
    streams,
    coverage: books.coverage,
    kill: (level, reason) => kills.kill(level, reason),
    killed: () => kills.unended(),
    async rearm(reason) {
      control.refusedScopes.clear();
      // First, so that a kill that comes while the throttle is written is a kill after it.
      await kills.rearm(reason);
      await throttle.rearm(reason);
    },
    settle: createSettle({ journal: books.journal, isRunning: true, onEvent: outlet.follow }),
    get killLevel() {
      return kills.level;
    },
    start: () => start.open(),
    async stop(stopOptions = {}) {
      const stopping = [...members.values()].map(async ({ host }) => host.stop());
      kills.stop();
      catchUp.flush();
      // An entry that waits would come after what ends the entries.
      if ((stopOptions.policy ?? 'leave') !== 'leave') gate.close(STOPPING);
      if (stopOptions.policy === 'flatten') wallets.forEach(holdings.reportLeft);
      const parts = {
        ...ending,
        stopping,
        isShown: () => wallets.every((wallet) => books.exposure.symbols(wallet).length === 0),
        unanswered: () => listUnanswered(store),
        closePipe: () => pipe.close(),
        unsubscribe: () => lifetime.unsubscribe(),
        closeLink: () => options.link.close(),
        closeStore: () => store.close(),
      };
      await stopBot(parts, stopOptions);
    },
    settled: () => start.begun().then(() => pipe.settled()),
    flush: () => pipe.flush(),
    isIdle: () => start.isDone() && pipe.isIdle(),
    get sends() {
      return pipe.sends();
    },
    get hosts() {
      return [...members.values()].map(({ host }) => host);
    },
    ledgerOf: (instance) => members.get(instance)!.ledger,
    book: books.bookOf,
    budget: () => ({ used: budget.status().used, limit: budget.status().limit }),
    budgetUse: () => budget.use(),
    exitWeight: books.exitWeight,
  };
}
