/**
 * The second part of a bot decides what is allowed: the entry gate, the active kill level, throttles, scopes
 * that the key lacks, and the owners of positions. It reads the books and is queried by the pipe; what it wants
 * sent goes into its outbox.
 */
import type { Scope } from '../contract/index.ts';
import type { BooksOfBot } from './createBooks.ts';
import {
  createDecisionAge,
  createEntryGate,
  createOutbox,
  createOwners,
  createPauses,
  type OwnerDecision,
  createThrottle,
  createStandingLevel,
  reattachStops,
} from './control/index.ts';

export type Control = ReturnType<typeof createControl>;

/** @param decisions the operator's decisions at this start about positions without an owner */
export function createControl(books: BooksOfBot, decisions: readonly OwnerDecision[]) {
  const { plan, env, market, store, events$, onFatal } = books;
  const outbox = createOutbox();
  const { submit } = outbox;
  const gate = createEntryGate();
  gate.listen((reasons) => events$.next({ kind: 'gate', reasons }));
  const owners = createOwners({
    ...books,
    clock: env.clock,
    log: env.log,
    isKnown: (wallet, symbol) =>
      gate.reasons(wallet).length === 0 && !gate.closedSymbols(wallet).has(symbol),
    decisions,
    submit,
  });
  return {
    outbox,
    gate,
    owners,
    standing: createStandingLevel(),
    decisionAge: createDecisionAge(books.link, plan.guards),
    pauses: createPauses({
      store,
      clock: env.clock,
      gate,
      instances: plan.strategies.map(({ name }) => name),
      onChange: (instance, reason) => events$.next({ kind: 'strategy_paused', instance, reason }),
    }),
    refusedScopes: new Set<Scope>(),
    keyWatch: books.keyWatch,
    throttle: createThrottle({
      store,
      env,
      market,
      limit: plan.guards.max_entries_per_hour,
      instances: plan.strategies.map(({ name }) => name),
      onTrip: (instance, reason) => events$.next({ kind: 'throttled', instance, reason }),
      onFatal,
    }),
    reattach: reattachStops({
      ...books,
      submit,
      onLost: (lost) => events$.next({ kind: 'stop_lost', lost }),
    }),
    /** What is flattened with a wallet: its strategies' symbols, and the bot's positions whose strategy is gone. */
    endedOf: (wallet: string) => [...books.symbolsOf(wallet), ...owners.orphans(wallet)],
    /** A wallet's work without the positions that an operator keeps, which nothing closes. */
    closable: owners.withoutIgnored,
  };
}
