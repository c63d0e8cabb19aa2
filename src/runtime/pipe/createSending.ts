import type { Budget } from '../../budget/index.ts';
import type { Exchange, ServiceFault, ServiceRequest } from '../../contract/index.ts';
import { after, type Env } from '../../env/index.ts';
import type { Journal, Step as JournalStep } from '../../journal/index.ts';
import { backoffMs, classify, endsById, resolutionOf, type Verdict } from '../../outcomes/index.ts';
import type { Emission } from '../../strategy/Emission.ts';
import { createConclusions, type ConclusionsOptions, type TooLate } from './createConclusions.ts';
import { createReconciliation, type ReconciliationOptions } from './createReconciliation.ts';
import { createRests } from './createRests.ts';
import { createSettings } from './createSettings.ts';
import { record } from './PipeItem.ts';
import { isUnknown, journalSending, markSent } from './stations.ts';
import type { Approved, Journaled, Sent } from './stations.ts';
import type { Step, Steps } from './steps.ts';

export interface SendingOptions
  extends
    Omit<ConclusionsOptions, 'settings'>,
    Omit<ReconciliationOptions, 'conclusions' | 'rests'> {
  env: Env;
  journal: Journal;
  budget: Budget;
  steps: Steps;
  /** Sends it once; the budget learns from the answer there. */
  send(request: ServiceRequest, emission: Emission): Exchange | Promise<Exchange>;
  learnClock(fault: ServiceFault): void;
  /** Why an item of which nothing was sent must not be sent any more. */
  whyTooLate(item: Approved): TooLate | undefined;
  /** Why what would add exposure was decided too long ago. */
  whyTooOld(emission: Emission): string | undefined;
  /** The intent's `not_after` has passed; what may have been sent is reconciled all the same. */
  isPastEnd(item: Approved): boolean;
  /** A kill level is in force: what may have been sent is not sent again if it adds exposure. */
  isKilled(): boolean;
  /** Kill level L4 is in force: not a byte leaves. */
  isCut(): boolean;
  /** Puts an item back into its lane. */
  requeue(item: Approved): void;
}

/** Follows items to their conclusion, journal first (AUTH-6, ERR-1, LIM-2). */
export interface Sending {
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

/**
 * The same key and bytes are sent for this long since the first attempt (reliability: the outcome table), by
 * whichever process made it: an exit is not given up after a few seconds of trouble, and nothing is done for an
 * outdated reason. What ends one thing by its id has this long in each process.
 */
const RESEND_MS = 600_000;
const CUT = 'the wire is cut';
export const OVERTAKEN = 'a later request has set the same since';

export function createSending(options: SendingOptions): Sending {
  const { env, journal, budget, steps, tell } = options;
  const settings = createSettings();
  const rests = createRests(env.timers, options.isClosed);
  const conclusions = createConclusions({ ...options, settings });
  const reconciliation = createReconciliation({ ...options, conclusions, rests });
  const { expire, markUnknown, reject } = conclusions;
  const resting = new Set<Approved>();

  return {
    send,
    resolve: (item) =>
      steps.of(() => {
        item.isSent = false;
        return after(record(journal, item), () => {
          if (item.isOvertaken === true) return conclusions.unresolved(item, OVERTAKEN);
          options.detach(resolveUnknown(item));
        });
      }),
    countResting: (isOne) => [...resting].filter(isOne).length,
    close: () => rests.close(),
  };

  function send(item: Approved): Step {
    item.deferralReported = false;
    const late = options.whyTooLate(item);
    if (late !== undefined) return steps.of(() => expire(item, late));
    if (settings.isOvertaken(item)) return steps.of(() => yieldTo(item));
    if (whyNotAgain(item) !== undefined && isUnknown(item)) {
      return steps.of(() => reconciliation.queryOrLeave(item));
    }
    item.attempt++;
    budget.spend(item.weight, item.lane);
    return steps.chain(
      () => journalSending(journal, item, bytesOf(item)),
      (journaled, isAtOnce) => {
        const step = steps.of(() => dispatch(journaled));
        return isAtOnce ? steps.leaving(step) : step;
      },
    );
  }

  /** Sends what the journal holds as `sending`. */
  function dispatch(item: Journaled): void | Promise<void> {
    if (options.isCut()) return again(item, { afterMs: 0, reason: CUT, rateLimited: true });
    // A 429 may have been returned for another intent while this one was being written.
    if (isHeld()) return again(item, { afterMs: 0, reason: 'retry_after', rateLimited: true });
    // The gate may have closed meanwhile, too: this is a wait like any other.
    const closed = options.whyTooLate(item);
    if (closed !== undefined) return expire(item, closed);
    const barred = whyNotAgain(item);
    if (barred !== undefined && isUnknown(item)) {
      return after(markUnknown(item, barred), () => reconciliation.queryOrLeave(item));
    }
    if (settings.isOvertaken(item)) return yieldTo(item);
    settings.leaves(item);
    tell(item, 'sending');
    const sent = markSent(item, env.clock.monotonicNow());
    const exchange = options.send(item.request, item.emission);
    return after(exchange, (answer) => conclude(sent, classify(answer, item.request.endpoint)));
  }

  /** What recovery needs to send it again, if there is a recovery. */
  function bytesOf({ attempt, request }: Approved): Pick<JournalStep, 'data'> {
    if (!journal.keepsTexts) return {};
    const { endpoint, pathParams, query, body } = request;
    return { data: { attempt, endpoint, pathParams, query, body } };
  }

  /** If it were sent now, it would undo a later request. */
  function yieldTo(item: Approved): void | Promise<void> {
    if (isUnknown(item)) return conclusions.unresolved(item, OVERTAKEN);
    return expire(item, { reason: OVERTAKEN });
  }

  /**
   * Why what may have been sent may only be queried: a late resend would execute an outdated decision, and an
   * entry would be new exposure.
   */
  function whyNotAgain(item: Approved): string | undefined {
    if (!isUnknown(item)) return undefined;
    const isOld = triedMs(item) + (item.sentBeforeMs ?? 0) >= RESEND_MS;
    if (isOld && !endsById(item.request.endpoint)) return 'it was sent too long ago';
    if (!item.opens) return undefined;
    if (options.isKilled()) return 'a kill level is in force';
    if (options.isPastEnd(item)) return 'not_after has passed';
    return options.whyTooOld(item.emission);
  }

  /** How long this process has gone without an answer. */
  function triedMs({ unknownSince }: Sent): number {
    return unknownSince === undefined ? 0 : env.clock.monotonicNow() - unknownSince;
  }

  function isHeld(): boolean {
    const admission = budget.admit('control', 0);
    return !admission.admitted && admission.reason === 'retry_after';
  }

  function conclude(item: Sent, verdict: Verdict): void | Promise<void> {
    switch (verdict.kind) {
      case 'accepted':
        return conclusions.accept(item, verdict.record);
      case 'rejected':
        return refused(item, verdict.fault);
      case 'doubtful':
        return doubtful(item, verdict);
      case 'exists':
        return after(markUnknown(item, verdict.fault.code), () => reconciliation.query(item));
      case 'unknown':
        return after(markUnknown(item, verdict.reason), () => options.detach(resolveUnknown(item)));
      case 'again':
        return again(item, verdict);
      case 'clock':
        if (item.clockLearned) return refused(item, verdict.fault);
        item.clockLearned = true;
        options.learnClock(verdict.fault);
        // This attempt was certainly not executed; an earlier one may have been.
        return after(isUnknown(item) ? markUnknown(item, verdict.fault.code) : undefined, () =>
          options.requeue(item),
        );
    }
  }

  /** The refusal of a second attempt does not apply to the first, which may have been executed. */
  async function refused(item: Sent, fault: ServiceFault): Promise<void> {
    const isLaunch = item.request.endpoint === 'executions.launch';
    if (!isUnknown(item) || !isLaunch) return reject(item, fault);
    await markUnknown(item, fault.code);
    return reconciliation.query(item, fault);
  }

  /**
   * A code of a newer service (ERR-2). What can be queried is queried, and ends with that code if nothing is
   * found. Of the rest, only what can't add exposure counts as refused on this code alone.
   */
  async function doubtful(
    item: Sent,
    { fault, status }: Extract<Verdict, { kind: 'doubtful' }>,
  ): Promise<void> {
    const canQuery = reconciliation.canQuery(item);
    if (!canQuery && !item.opens) return refused(item, fault);
    await markUnknown(item, `${status} ${fault.code}`);
    if (canQuery) return reconciliation.query(item, fault);
    return options.detach(resolveUnknown(item));
  }

  /** Nothing was executed by this attempt; an earlier one that went unanswered still counts. */
  async function again(
    item: Journaled,
    verdict: Omit<Extract<Verdict, { kind: 'again' }>, 'kind'>,
  ): Promise<void> {
    const { reason } = verdict;
    const state = isUnknown(item) ? 'unknown' : 'deferred';
    await record(journal, item, { state, data: { reason } });
    item.deferralReported = true;
    tell(item, 'deferred', { reason });
    // A 429 binds the whole key, so the budget holds everything; a broken connection affects one item.
    if (verdict.rateLimited) return options.requeue(item);
    const delayMs = Math.max(verdict.afterMs, backoffMs(item.attempt, env.random));
    options.detach(sendAfter(item, delayMs));
  }

  async function sendAfter(item: Approved, delayMs: number): Promise<void> {
    resting.add(item);
    await rests.rest(delayMs);
    resting.delete(item);
    options.requeue(item);
  }

  /** The key makes the same bytes safe to send for a while; after that, only queries are allowed. */
  async function resolveUnknown(item: Sent): Promise<void> {
    if (resolutionOf(item.request.endpoint) === 'lookup') return reconciliation.query(item);
    if (options.isClosed()) return;
    if (whyNotAgain(item) !== undefined) return reconciliation.queryOrLeave(item);
    if (triedMs(item) >= RESEND_MS) return conclusions.unresolved(item);
    await sendAfter(item, backoffMs(item.attempt, env.random));
  }
}
