import { combineLatest, filter, take } from 'rxjs';
import { within } from '../env/index.ts';
import { type Member, releaseLives, showOpen } from './members/index.ts';
import { type WalletBook, confirmSnapshots } from './wallet/index.ts';
import type { BooksOfBot } from './createBooks.ts';
import type { Control } from './createControl.ts';
import { foreignWork, isBlind, type KillSwitch, latchKey } from './control/index.ts';
import type { Outlet } from './createOutlet.ts';
import { followStreams } from './followStreams.ts';
import {
  adoptSpots,
  explainRenamed,
  recoverIntents,
  rememberNames,
  reportTakeOver,
  type TakeOver,
} from './recovery/index.ts';

/** Finding out about an unanswered intent may take minutes; a strategy's exits don't wait for it. */
const RECOVERY_WAIT_MS = 1_000;
const STARTING = 'starting up';

export interface StartParts {
  books: BooksOfBot;
  control: Control;
  outlet: Outlet;
  members: ReadonlyMap<string, Member>;
  kills: KillSwitch;
}

/** How far a start has come. */
export interface Start {
  /** Resolves when streams are open; recovery follows with the first snapshots. */
  open(): Promise<void>;
  /** Resolves when a recovery that has begun is done. */
  begun(): Promise<void>;
  /** No recovery is in progress. */
  isDone(): boolean;
  /** Entries are closed until the snapshots are confirmed. */
  isConfirming(): boolean;
}

/**
 * Start-up is the only recovery path: subscribe, wait for the first snapshots, read the journal, start the
 * strategies, and open entries when a second snapshot agrees with the state known by then. Marks and books
 * subscribe before the strategies, so that a guard knows a bar before the strategy that decides on it.
 */
export function createStart(parts: StartParts): Start {
  const { books, control, outlet, members, kills } = parts;
  const { plan, env, events$, lifetime, streams, wallets, onFatal } = books;
  const { gate, owners, throttle, pauses, keyWatch, reattach } = control;
  const { pipe, refs, slots } = outlet;
  // Taken before anything is sent: a kill level, or a stop, asks for its end before the first snapshots.
  const inherited = new Set(books.store.openIntents().map(({ key }) => key));
  let recovery: Promise<void> = Promise.resolve();
  let isDone = true;

  /** With the first snapshot of every wallet: the journal, then the strategies. */
  async function recover(): Promise<void> {
    if (plan.budget.remaining !== undefined) books.budget.learnRemaining(plan.budget.remaining);
    for (const wallet of wallets) {
      const learned = books.learn(books.workOf(wallet));
      if (learned !== undefined) await learned;
    }
    const counted = books.holdings.begin();
    if (counted !== undefined) {
      const adopted = counted.then(() => adoptSpots(members.values(), books.holdings));
      await within(env.timers, adopted, RECOVERY_WAIT_MS);
    }
    owners.look();
    // What the operator ignores from now on needs no stop of this bot's.
    books.coverage.review();
    const instances = [...members.keys()];
    const { clock } = env;
    const report = recoverIntents({ ...books, clock, pipe, refs, instances, inherited });
    for (const wallet of wallets) lifetime.add(showOpen(wallet, books));
    kills.look();
    owners.flatten();
    if (report.sent + report.resumed > 0)
      await within(env.timers, pipe.settled(), RECOVERY_WAIT_MS);
    events$.next({ kind: 'recovered', report });
    for (const works of foreignWork(wallets.map(books.workOf), books.symbolsOf))
      events$.next({ kind: 'foreign', works });
    const onFound = (takeOver: TakeOver): void => events$.next({ kind: 'taken_over', takeOver });
    const strategies = plan.strategies.map(({ name }) => name);
    const renamed = explainRenamed(books.store, strategies);
    const remembered = rememberNames(books.store, strategies);
    if (remembered !== undefined) await remembered;
    const about = { owners, strategies, renamed };
    lifetime.add(reportTakeOver({ ...books, timers: env.timers, ...about }, onFound));
    // After the intents are read: they compare it with the key of the process before.
    const key = books.keyInUse();
    if (key !== '') await latchKey(books.store, key, env.clock.wallNow());
    void releaseLives(books.store, members.keys(), env.clock.wallNow()).catch(onFatal);
    // The bot may have been stopped while its start was waiting.
    for (const { host } of members.values()) if (host.status.state === 'idle') host.start();
    lifetime.add(reattach.start());
    const onConfirmed = (): void => {
      gate.open(STARTING);
      slots.open();
    };
    lifetime.add(confirmSnapshots(streams, wallets, onConfirmed));
  }

  const onBar = (time?: number): void => {
    for (let at = 0; at < books.all.length; at++) books.all[at]!.sample(time);
  };

  return {
    async open() {
      gate.close(STARTING);
      kills.restore();
      throttle.restore();
      pauses.restore();
      lifetime.add(streams.faults$.subscribe((fault) => events$.next(books.asked.toEvent(fault))));
      lifetime.add(streams.status$.subscribe(keyWatch.status));
      await streams.open();
      const { manages } = owners;
      const onExecutions = (): void => pipe.shown();
      lifetime.add(followStreams({ ...books, members, gate, onBar, onExecutions, manages }));
      // They come after the account, on channels of their own.
      for (const wallet of wallets) {
        const { executionsModel$, monitorsModel$ } = streams.wallet(wallet);
        const book = books.bookOf(wallet);
        const learn = (): void => {
          const [executions, monitors] = [book.liveExecutions(), book.entryMonitors()];
          void books.learnSoon({ orders: [], executions, monitors });
        };
        lifetime.add(executionsModel$.pipe(take(1)).subscribe(learn));
        lifetime.add(monitorsModel$.pipe(take(1)).subscribe(learn));
      }
      const isWhole$ = combineLatest(wallets.map((wallet) => streams.wallet(wallet).account$)).pipe(
        filter((models) => models.every(({ complete }) => complete)),
        take(1),
      );
      lifetime.add(
        isWhole$.subscribe(() => {
          isDone = false;
          recovery = recover()
            .catch(onFatal)
            .finally(() => (isDone = true));
        }),
      );
    },
    begun: () => recovery,
    isDone: () => isDone,
    isConfirming: () => gate.reasons().includes(STARTING),
  };
}

/**
 * Why a wallet's book may lack what is open: the start is not over, or the stream is lost; undefined if it is whole.
 *
 * @param reasons why the wallet's entries are closed
 */
export function explainUnknown(book: WalletBook, reasons: readonly string[]): string | undefined {
  if (book.account() === undefined) return 'no account has been received';
  return reasons.find((reason) => reason === STARTING || isBlind(reason));
}
