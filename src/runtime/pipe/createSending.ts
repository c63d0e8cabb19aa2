import type { Budget } from '../../budget/index.ts';
import type { Exchange, ServiceRequest } from '../../contract/index.ts';
import { after, type Env } from '../../env/index.ts';
import type { Journal, Step as JournalStep } from '../../journal/index.ts';
import { classify } from '../../outcomes/index.ts';
import type { Emission } from '../../strategy/Emission.ts';
import { createAnswers, type AnswersOptions } from './createAnswers.ts';
import { createConclusions, type ConclusionsOptions, type TooLate } from './createConclusions.ts';
import { createReconciliation, type ReconciliationOptions } from './createReconciliation.ts';
import { createResendRule, type ResendRuleOptions } from './createResendRule.ts';
import { createRests } from './createRests.ts';
import { createSettings } from './createSettings.ts';
import { record } from './PipeItem.ts';
import { takeOut, type Unsent, type Withdrawals } from './createWithdrawals.ts';
import { isUnknown, isUnsent, journalSending, markSent } from './stations.ts';
import type { Approved, Journaled, Sent } from './stations.ts';
import type { Step, Steps } from './steps.ts';

export interface SendingOptions
  extends
    Omit<ConclusionsOptions, 'settings'>,
    Omit<ReconciliationOptions, 'conclusions' | 'rests'>,
    Omit<AnswersOptions, 'conclusions' | 'reconciliation' | 'resends' | 'rests' | 'settings'>,
    ResendRuleOptions {
  env: Env;
  journal: Journal;
  budget: Budget;
  steps: Steps;
  /** Sends it once; the budget learns from the answer there. */
  send(request: ServiceRequest, emission: Emission): Exchange | Promise<Exchange>;
  /** Why an unsent item must not be sent any more. */
  explainTooLate(item: Approved): TooLate | undefined;
  /** Ends what it would end if that had been sent; why it is not needed itself, if it is not. */
  beforeSending: Withdrawals['beforeSending'];
  /** Kill level L4 is in force: not a byte leaves. */
  isCut(): boolean;
}

/** Follows items to their conclusion, journal first (AUTH-6, ERR-1, LIM-2). */
export interface Sending extends Unsent {
  /**
   * Sends an item that the budget admitted. If the journal wrote it at once, its request leaves after the turn
   * that proposed it.
   */
  send(item: Approved): Step;
  /** Reconciles an item that an earlier process may have sent, without sending it here. */
  resolve(item: Sent): Step;
  /** How many equal items rest before they are sent again. */
  countResting(isOne: (item: Approved) => boolean): number;
  /** Cancels all waits: what is unknown stays so, for the next process to reconcile. */
  close(): void;
}

const CUT = 'the wire is cut';
export const OVERTAKEN = 'a later request has set the same field since';
const PARTLY_OVERTAKEN = 'a later request has set a part of it since';

export function createSending(options: SendingOptions): Sending {
  const { env, journal, budget, steps, report } = options;
  const settings = createSettings();
  const rests = createRests(env.timers, options.isClosed);
  const resends = createResendRule(options);
  const conclusions = createConclusions({ ...options, settings });
  const reconciliation = createReconciliation({ ...options, conclusions, rests });
  const answers = createAnswers({
    ...options,
    settings,
    conclusions,
    reconciliation,
    resends,
    rests,
  });
  const { expire, markUnknown } = conclusions;
  const { resendRefusal } = resends;
  const { again } = answers;
  /** Their `sending` is written or being written, and their request has not left. */
  const leaving = new Set<Approved>();

  return {
    send,
    resolve: (item) =>
      steps.of(() => {
        item.isSent = false;
        return after(record(journal, item), () => {
          const over = item.isOvertaken === true ? OVERTAKEN : item.stranded;
          if (over !== undefined) return conclusions.unresolved(item, over);
          options.detach(answers.resolveUnknown(item));
        });
      }),
    countResting: answers.countResting,
    withdraw: (isOne) => [
      ...takeOut(leaving, (item) => isUnsent(item) && isOne(item)),
      ...answers.withdraw(isOne),
    ],
    close: () => rests.close(),
  };

  function send(item: Approved): Step {
    item.deferralReported = false;
    const late = options.explainTooLate(item) ?? options.beforeSending(item);
    if (late !== undefined) return steps.of(() => expire(item, late));
    const remaining = settings.remaining(item);
    if (remaining === undefined) return steps.of(() => yieldTo(item));
    if (resendRefusal(item) !== undefined && isUnknown(item)) {
      return steps.of(() => reconciliation.queryOrLeave(item));
    }
    if (isOther(remaining, item.request)) {
      item.whole ??= item.request;
      item.request = remaining;
    }
    item.attempt++;
    budget.spend(item.weight, item.lane);
    leaving.add(item);
    return steps.chain(
      () => journalSending(journal, item, bytesOf(item)),
      (journaled, isAtOnce) => {
        const step = steps.of(() => dispatch(journaled));
        return isAtOnce ? steps.leaving(step) : step;
      },
    );
  }

  /** Sends intents that are journaled as `sending`. */
  function dispatch(item: Journaled): void | Promise<void> {
    // What was withdrawn meanwhile has ended.
    if (!leaving.delete(item)) return;
    if (options.isCut()) return again(item, { afterMs: 0, reason: CUT, rateLimited: true });
    // A 429 may have been returned for another intent while this one was being written.
    if (isHeld()) return again(item, { afterMs: 0, reason: 'retry_after', rateLimited: true });
    // The gate may have closed meanwhile, too: this is a wait like any other.
    const closed = options.explainTooLate(item);
    if (closed !== undefined) return expire(item, closed);
    const barred = resendRefusal(item);
    if (barred !== undefined && isUnknown(item)) {
      return after(markUnknown(item, barred), () => reconciliation.queryOrLeave(item));
    }
    const remaining = settings.remaining(item);
    if (remaining === undefined) return yieldTo(item);
    // The journal must hold the bytes that leave.
    if (isOther(remaining, item.request)) {
      return again(item, { afterMs: 0, reason: PARTLY_OVERTAKEN, rateLimited: true });
    }
    settings.leaves(item);
    report(item, 'sending');
    const sent = markSent(item, env.clock.monotonicNow(), options.keyInUse());
    const exchange = options.send(item.request, item.emission);
    return after(exchange, (answer) =>
      answers.conclude(sent, classify(answer, item.request.endpoint)),
    );
  }

  /** What recovery needs to send it again, if there is a recovery. */
  function bytesOf({ attempt, key, request }: Approved): Pick<JournalStep, 'data'> {
    if (!journal.keepsTexts) return {};
    const { endpoint, pathParams, query, body, idempotencyKey } = request;
    // What is left of a request has a key of its own.
    const named = idempotencyKey === key ? {} : { idempotencyKey };
    const bytes = { attempt, endpoint, pathParams, query, body, ...named };
    // The service retains idempotency keys by API key, and the next process may have another.
    const keyId = options.keyInUse();
    return { data: keyId === '' ? bytes : { ...bytes, keyId } };
  }

  /** If it were sent now, it would undo a later request. */
  function yieldTo(item: Approved): void | Promise<void> {
    if (isUnknown(item)) return conclusions.unresolved(item, OVERTAKEN);
    return expire(item, { reason: OVERTAKEN });
  }

  function isHeld(): boolean {
    const admission = budget.admit('control', 0);
    return !admission.admitted && admission.reason === 'retry_after';
  }
}

/** By the request first: in process, the text of one is made only when somebody reads it. */
const isOther = (one: ServiceRequest, other: ServiceRequest): boolean =>
  one !== other && one.body !== other.body;
