/**
 * The third part of a bot is what goes out: the pipe with everything that a request needs on its way, and the
 * subscribers to each of its steps. It queries books and control; neither depends on it.
 */
import type { IntentKind } from '../intents/index.ts';
import { Emitter } from '../streams/index.ts';
import type { BooksOfBot } from './createBooks.ts';
import type { Control } from './createControl.ts';
import { createLookUp } from './recovery/index.ts';
import {
  createPipe,
  createPrepare,
  createRowReservations,
  explainChange,
  toOutcome,
} from './pipe/index.ts';
import {
  createReferences,
  createRefs,
  LIST_LAG_MS,
  liveIdsOf,
  clientNameOf,
  kindOfRecord,
  recordIdsOf,
  standingOf,
} from './wallet/index.ts';
import { createLifted, learnScope, WIRE_CUT } from './control/index.ts';
import { OPERATOR } from './operator.ts';
import type { PipeEvent } from './PipeEvent.ts';

export type Outlet = ReturnType<typeof createOutlet>;

/** Reason of the entry gate while the bot stops. */
export const STOPPING = 'the bot is stopping';
const ENDED: readonly PipeEvent['state'][] = ['denied', 'rejected', 'expired', 'absent'];

/** Their records were shown before: only a later frame shows the change. */
const CHANGES: readonly IntentKind[] = ['modify_order', 'control_execution'];

/** @param isOver whether a strategy of the configuration has ended for this process by a fault of its own */
export function createOutlet(
  books: BooksOfBot,
  control: Control,
  isOver: (instance: string) => boolean,
) {
  const { plan, link, market, events$, marks, accepted, exposure, holdings } = books;
  const { bookOf, workOf, request, budget } = books;
  const { gate, standing, outbox, refusedScopes, keyWatch, reattach } = control;
  const { present, explainTooOld } = control.decisionAge;
  const planned = new Map(plan.strategies.map((one) => [one.name, one]));
  const refs = createRefs({
    liveOf(instance) {
      const wallet = planned.get(instance)?.wallet;
      // While the gate is closed, the books may date from before an outage.
      if (wallet === undefined || gate.reasons(wallet).length > 0) return undefined;
      return liveIdsOf(bookOf(wallet));
    },
    executionOf(instance, clientId) {
      const wallet = planned.get(instance)?.wallet;
      return wallet === undefined ? undefined : bookOf(wallet).executionOf(clientId);
    },
  });
  const slots = createRowReservations({
    market,
    priceOf: (symbol) => marks.of(symbol)?.price,
    workOf,
    trackedOrders: (wallet) => bookOf(wallet).trackedOrders(),
    submit: outbox.submit,
  });
  books.lifetime.add(() => slots.stop());

  const instruments = new Map(plan.instruments.map((one) => [one.symbol, one]));
  /** Each step of an intent, for the strategy that proposed it. */
  const outcomes$ = new Emitter<PipeEvent>();

  /** State is updated first, then subscribers are notified, then what waits for the end. */
  function follow(event: PipeEvent): void {
    const { state, emission, key, record, fault } = event;
    const { instance, intent, decisionKey } = emission;
    const refLog = books.refLogs.get(instance);
    if (fault !== undefined) learnScope(refusedScopes, fault);
    if (state === 'accepted') {
      refs.became(instance, intent, key, record);
      accepted.became(emission, record);
      const clientName = clientNameOf(record);
      const standing = CHANGES.includes(intent.kind) ? standingOf(record) : undefined;
      const kind = kindOfRecord(record);
      exposure.becomes(key, recordIdsOf(record), market.now(), { kind, clientName, standing });
    } else if (ENDED.includes(state)) {
      refs.ended(instance, intent, key);
      exposure.remove(key);
    }
    holdings.follow(event);
    events$.next({ kind: 'intent', event });
    keyWatch.intent(event);
    // A strategy may decide on it at once, so that everything else knows it by now.
    if (state === 'accepted') refLog?.became(decisionKey, intent, record);
    if (intent.ref !== undefined) refLog?.outcome(toOutcome(event, market.now()));
    outcomes$.next(event);
    slots.follow(event);
    reattach.follow(event);
  }

  const listed = new Set(plan.instruments.map(({ symbol }) => symbol));
  const references = createReferences({
    bookOf,
    budget,
    dialect: plan.dialect,
    isListed: (symbol) => listed.has(symbol),
    market,
    request,
  });
  books.lifetime.add(() => references.stop());
  const pipe = createPipe({
    ...books,
    // With a clock that is ahead by the tolerance, a signature is valid for twice as long.
    absentAfterMs: plan.dialect.signing.timestampToleranceSeconds * 2_000 + LIST_LAG_MS,
    concurrency: plan.concurrency,
    inOrder: plan.concurrency === 1,
    held: link.held,
    shareOf: (instance) =>
      planned.has(instance) ? books.stages.planned(instance).capitalShare : 1,
    entryRefusal: gate.reasonFor,
    present,
    explainTooOld,
    explainLifted: createLifted({
      level: standing.level,
      isStopping: () => gate.reasons().includes(STOPPING),
    }),
    keyInUse: books.keyInUse,
    // Also after a rearm: only the next process connects again what was cut.
    isCut: () => standing.level() === 'L4' || gate.reasons().includes(WIRE_CUT),
    isPaused: (instance) => gate.closedStrategy(instance) !== undefined,
    mayRun: (instance) => instance === OPERATOR || (planned.has(instance) && !isOver(instance)),
    isKilled: () => standing.level() !== 'L0' || gate.reasons().includes(STOPPING),
    prepare: createPrepare({ ...books, ...control, present, refs, slots, references }),
    waitForRow: (pendingIntent, wake) => slots.hold(pendingIntent, wake),
    send: request,
    meant: refs.meant,
    lookUp: createLookUp({ budget, dialect: plan.dialect, market, request }),
    onEvent: (event) => follow(explainChange(event, (symbol) => instruments.get(symbol))),
  });
  gate.listen(() => pipe.reconsider());
  outbox.connect((emission) => holdings.pass(emission, pipe.submit));

  return { pipe, refs, slots, outcomes$, follow };
}
