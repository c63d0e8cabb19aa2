import {
  ERROR_CODES,
  type ErrorCode,
  type MonitorRecord,
  type OrderRecord,
  type ServiceFault,
} from '../contract/index.ts';
import type { Intent } from '../intents/index.ts';
import { withDecision } from '../strategy/describeDecision.ts';
import type { Outcome, OutcomeState } from '../strategy/index.ts';
import type { IntentRef } from './StrategyTest.ts';
import type { TestedIntent } from './TestedIntent.ts';
import { testRefusal } from './testRefusal.ts';
import type { Delivery } from './createDelivery.ts';
import { findRefusal, makerOf, type Known, type Refusal } from './findRefusal.ts';
import { toMonitor } from './toMonitor.ts';
import { isOpen, toWork, type OrderWork, type Work, type WorkContext } from './Work.ts';

/** The intents of a test with what became of them: their answers, and the orders and executions they made. */
export interface Answers {
  /** @throws if there is no such intent */
  find(call: string, ref: IntentRef): TestedIntent;
  /** Whether an intent of that name was sent. */
  knows(ref: IntentRef): boolean;
  /** @throws if it can't follow what was reported before, or if the service would not accept it */
  report(intent: TestedIntent, state: OutcomeState, why?: string, record?: unknown): void;
  /** Accepts an intent, or refuses it where the service would. */
  answer(intent: TestedIntent): void;
  isAccepted(intent: TestedIntent): boolean;
  workOf(intent: TestedIntent): Work | undefined;
  /** What an intent would become if it were accepted now, of which the test's account knows nothing. */
  draftOf(intent: TestedIntent): Work | undefined;
  monitorOf(intent: TestedIntent): MonitorRecord | undefined;
  /** Orders and executions that have not ended. */
  open(): Work[];
  monitors(): Array<[TestedIntent, MonitorRecord]>;
}

export interface AnswersOptions {
  instance: string;
  intents(): readonly TestedIntent[];
  suppressed(): readonly TestedIntent[];
  /** The intent as the strategy emitted it. */
  proposed(intent: TestedIntent): Intent;
  context(): WorkContext;
  delivery: Delivery;
  /** An outcome is reported. */
  onOutcome(outcome: Outcome): void;
}

/** What may be reported next; nothing follows a final state. */
const NEXT: Readonly<Partial<Record<OutcomeState | 'none', readonly OutcomeState[]>>> = {
  none: ['denied', 'guarded', 'deferred', 'sending', 'accepted', 'rejected', 'unknown', 'expired'],
  guarded: ['deferred', 'sending', 'accepted', 'rejected', 'unknown', 'expired', 'denied'],
  deferred: ['sending', 'accepted', 'rejected', 'unknown', 'expired', 'denied'],
  sending: ['accepted', 'rejected', 'unknown', 'deferred'],
  unknown: ['accepted', 'rejected', 'absent', 'unresolved', 'deferred', 'sending'],
};
/** The steps that the runtime reports before these. */
const BEFORE: Readonly<Partial<Record<OutcomeState, readonly OutcomeState[]>>> = {
  deferred: ['guarded'],
  sending: ['guarded'],
  expired: ['guarded'],
  accepted: ['guarded', 'sending'],
  rejected: ['guarded', 'sending'],
  unknown: ['guarded', 'sending'],
};

export function createAnswers(options: AnswersOptions): Answers {
  const { instance, context, delivery } = options;
  const monitors = new Map<TestedIntent, MonitorRecord>();
  const states = new Map<TestedIntent, OutcomeState>();
  const reported = new Map<TestedIntent, Set<OutcomeState>>();
  const works = new Map<TestedIntent, Work>();

  function sent(ref: IntentRef): TestedIntent | undefined {
    return options.intents().findLast((intent) => {
      if (typeof ref !== 'string') return intent === ref;
      return intent.ref === ref || idsOf(works.get(intent)).includes(ref);
    });
  }

  function find(call: string, ref: IntentRef): TestedIntent {
    const found = sent(ref);
    if (found !== undefined) return found;
    const intents = options.intents();
    if (typeof ref !== 'string' && (typeof ref !== 'object' || ref === null)) {
      throw testRefusal(
        `${call}: ${String(ref)} is no intent; ${intents.length} were sent.`,
        'Pass one of `intents`, or its ref. What was malformed or refused by the host is in `faults`.',
      );
    }
    const name = typeof ref === 'string' ? `ref ${JSON.stringify(ref)}` : `this ${ref.kind}`;
    if (options.suppressed().some((intent) => intent === ref || intent.ref === ref)) {
      throw testRefusal(
        `${call}: the intent with ${name} was decided in warm-up, and is never sent.`,
        'Give the bars before it as history, or enough live bars to pass the warm-up.',
      );
    }
    const known = intents.flatMap((intent) => intent.ref ?? []);
    const have = known.length === 0 ? 'no intent has a ref' : `there are ${known.join(', ')}`;
    throw testRefusal(
      `${call}: no intent has ${name}; ${intents.length} were sent, and ${have}.`,
      'Name the ref of an intent that was sent, or pass one of `intents`.',
    );
  }

  function step(intent: TestedIntent, state: OutcomeState, extra: Partial<Outcome> = {}): void {
    states.set(intent, state);
    const seen = reported.get(intent) ?? new Set();
    reported.set(intent, seen.add(state));
    const { decisionKey } = intent;
    const time = context().now;
    const outcome = { state, intent: options.proposed(intent), decisionKey, time, ...extra };
    options.onOutcome(outcome as Outcome);
    delivery.outcome(outcome as Outcome, intent);
  }

  const known: Omit<Known, 'position'> = {
    get intents() {
      return options.intents();
    },
    stateOf: (sent) => states.get(sent),
    workOf: (sent) => works.get(sent),
    monitorOf: (sent) => monitors.get(sent),
    orderOf,
  };

  const orders = (): OrderWork[] => [...works.values()].filter((work) => work.kind === 'order');

  function orderOf(intent: TestedIntent): OrderWork | undefined {
    if (intent.kind !== 'cancel_order' && intent.kind !== 'modify_order') return undefined;
    const { order_id, client_order_id, ref } = intent.order;
    const made = makerOf('order', ref, known, intent);
    return orders().findLast(
      ({ order, intent: placed }) =>
        order.order_id === order_id ||
        (client_order_id !== undefined && order.client_order_id === client_order_id) ||
        placed === made,
    );
  }

  /** The orders that a change or a cancel is about. */
  function targetsOf(intent: TestedIntent): OrderWork[] {
    if (intent.kind === 'bulk_cancel') {
      const { symbol } = intent;
      return orders().filter((one) => isOpen(one) && (!symbol || one.order.symbol === symbol));
    }
    const found = orderOf(intent);
    return found === undefined ? [] : [found];
  }

  const refusalOf = (intent: TestedIntent): Refusal | undefined =>
    findRefusal(intent, { ...known, position: context().position });

  /** @throws for an answer that no service gives; a record describes what is of an earlier process */
  function requireAcceptable(intent: TestedIntent, record: unknown): void {
    const found = refusalOf(intent);
    if (found === undefined || (found.isMissing === true && record !== undefined)) return;
    const { state, why, because } = found;
    throw testRefusal(
      `outcome: ${describe(intent)} can't be accepted: ${because}.`,
      `Report what happens then: outcome(…, '${state}', '${why}').`,
    );
  }

  function applyTo(order: OrderRecord, intent: TestedIntent): void {
    order.updated_time = context().now;
    if (intent.kind !== 'modify_order') {
      order.status = 'cancelled';
      return;
    }
    const { price, size } = intent.change as { price?: number; size?: number };
    order.price = price ?? order.price ?? null;
    order.size = size ?? order.size;
  }

  /** The service accepts: what it returns, and then what it shows of it. */
  function accept(intent: TestedIntent, given: unknown): { record: unknown; show(): void } {
    const targets = targetsOf(intent);
    for (const { order } of targets) applyTo(order, intent);
    const shown = (): void => targets.forEach((target) => delivery.order(target));
    if (intent.kind === 'bulk_cancel') {
      const results = targets.map(({ order }) => ({ id: order.order_id, ok: true }));
      return { record: given ?? { results }, show: shown };
    }
    const [target] = targets;
    if (target !== undefined) {
      const order = { ...target.order };
      delivery.answered(target.intent, { kind: 'order', order, answered: true });
      return { record: given ?? order, show: shown };
    }
    if (intent.kind === 'create_monitor') {
      const monitor = toMonitor(intent, context());
      monitors.set(intent, monitor);
      delivery.answered(intent, { kind: 'monitor', monitor: { ...monitor }, answered: true });
      const show = (): void => delivery.monitor('armed', monitor, intent);
      return { record: given ?? { ...monitor }, show };
    }
    const work = toWork(intent, context());
    if (work === undefined) return { record: given ?? {}, show: shown };
    works.set(intent, work);
    if (work.kind === 'order') {
      const order = { ...work.order };
      delivery.answered(intent, { kind: 'order', order, answered: true });
      return { record: given ?? order, show: () => delivery.order(work) };
    }
    const execution = { ...work.execution };
    delivery.answered(intent, { kind: 'execution', execution, answered: true });
    const show = (): void => delivery.execution('started', work.execution, intent);
    return { record: given ?? execution, show };
  }

  function extraOf(intent: TestedIntent, state: OutcomeState, why: string | undefined) {
    if (state === 'denied') {
      const reason = withDecision(why ?? 'denied', { instance, intent, cause: intent.cause });
      return { guard: why ?? 'test', reason };
    }
    if (state !== 'rejected') return why === undefined ? {} : { reason: why };
    const fault = faultOf(why);
    const reason = withDecision(fault.message, { instance, intent, cause: intent.cause });
    return { fault, reason };
  }

  const answers: Answers = {
    find,
    knows: (ref) => sent(ref) !== undefined,
    answer(intent) {
      const refusal = refusalOf(intent);
      answers.report(intent, refusal?.state ?? 'accepted', refusal?.why);
    },
    report(intent, state, why, record) {
      const now = states.get(intent);
      if (!(NEXT[now ?? 'none'] ?? []).includes(state)) {
        throw testRefusal(
          `outcome: ${describe(intent)} ${now === undefined ? 'has no answer yet' : `is ${now}`}, and can't become ${state}.`,
          'Report what the service could: an answer is final, and only an unknown intent turns out absent.',
        );
      }
      if (state === 'accepted') requireAcceptable(intent, record);
      const extra: Partial<Outcome> = extraOf(intent, state, why);
      const seen = reported.get(intent) ?? new Set();
      for (const before of BEFORE[state] ?? []) if (!seen.has(before)) step(intent, before);
      const accepted = state === 'accepted' ? accept(intent, record) : undefined;
      if (accepted !== undefined) extra.record = accepted.record as Outcome['record'] & {};
      step(intent, state, extra);
      accepted?.show();
    },
    isAccepted: (intent) => states.get(intent) === 'accepted',
    workOf: (intent) => works.get(intent),
    draftOf: (intent) => toWork(intent, { ...context(), nextId: (prefix) => prefix }),
    monitorOf: (intent) => monitors.get(intent),
    open: () =>
      [...works.values()].filter(
        (work) => isOpen(work) && !(work.kind === 'execution' && work.isGone),
      ),
    monitors: () => [...monitors],
  };
  return answers;
}

const describe = ({ kind, ref }: TestedIntent): string =>
  ref === undefined ? kind : `${kind} ${ref}`;

function idsOf(work: Work | undefined): string[] {
  if (work === undefined) return [];
  return work.kind === 'order'
    ? [work.order.order_id]
    : [work.execution.execution_id, work.orderId];
}

function faultOf(code: string | undefined): ServiceFault {
  if (code !== undefined && Object.hasOwn(ERROR_CODES, code)) {
    return { code, message: ERROR_CODES[code as ErrorCode].message, details: null };
  }
  throw testRefusal(
    `outcome: ${code === undefined ? 'a rejection needs an error code' : `the service has no error code ${code}`}.`,
    `Name one of ${Object.keys(ERROR_CODES).slice(0, 4).join(', ')}, … (ERROR_CODES).`,
  );
}
