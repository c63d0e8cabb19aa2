import type { ServiceFault } from '../../contract/index.ts';
import { after, type Env } from '../../env/index.ts';
import type { Journal } from '../../journal/index.ts';
import { backoffMs, opensAnew, resolutionOf, type Verdict } from '../../outcomes/index.ts';
import type { Conclusions, ConclusionsOptions } from './createConclusions.ts';
import type { Reconciliation, ReconciliationOptions } from './createReconciliation.ts';
import type { ResendRule } from './createResendRule.ts';
import type { Rests } from './createRests.ts';
import { waitForConnection } from '../waits.ts';
import { record } from './PipeItem.ts';
import { takeOut, type Unsent } from './createWithdrawals.ts';
import { isUnknown, isUnsent } from './stations.ts';
import type { Approved, Journaled, Sent } from './stations.ts';

export interface AnswersOptions
  extends
    Pick<ConclusionsOptions, 'report' | 'settings'>,
    Pick<ReconciliationOptions, 'isClosed' | 'detach'> {
  env: Env;
  journal: Journal;
  conclusions: Conclusions;
  reconciliation: Reconciliation;
  resends: ResendRule;
  rests: Rests;
  /** Puts an item back into its lane. */
  requeue(item: Approved): void;
  /** An intent of this key rests unsent, and nothing has reported it: a stop may be waiting for its answer. */
  comesBack(key: string): void;
}

/** What follows from an answer, or from its absence: a conclusion, a query, or another attempt. */
export interface Answers extends Unsent {
  conclude(item: Sent, verdict: Verdict): void | Promise<void>;
  /** Nothing was executed by this attempt; an earlier one that went unanswered still counts. */
  again(item: Journaled, verdict: Omit<Extract<Verdict, { kind: 'again' }>, 'kind'>): Promise<void>;
  /** The key makes the same bytes safe to send for a while; after that, only queries are allowed. */
  resolveUnknown(item: Sent): Promise<void>;
  /** How many equal items rest before they are sent again. */
  countResting(isOne: (item: Approved) => boolean): number;
}

export function createAnswers(options: AnswersOptions): Answers {
  const { env, journal, conclusions, reconciliation, resends, rests, report } = options;
  const { markUnknown, reject } = conclusions;
  const resting = new Set<Approved>();

  return {
    conclude,
    again,
    resolveUnknown,
    countResting: (isOne) => [...resting].filter(isOne).length,
    withdraw: (isOne) => takeOut(resting, (item) => isUnsent(item) && isOne(item)),
  };

  function conclude(item: Sent, verdict: Verdict): void | Promise<void> {
    switch (verdict.kind) {
      case 'accepted':
        return conclusions.accept(item, verdict.record);
      case 'rejected':
        return refused(item, verdict.fault);
      case 'doubtful':
        return doubtful(item, verdict);
      case 'exists':
        // No read finds a basket by its legs' ids: this attempt opened nothing.
        if (!reconciliation.canQuery(item)) return refused(item, verdict.fault);
        return after(markUnknown(item, verdict.fault.code), () =>
          reconciliation.query(item, undefined, verdict.fault),
        );
      case 'unknown':
        return after(markUnknown(item, verdict.reason), () => options.detach(resolveUnknown(item)));
      case 'again':
        return again(item, verdict);
      case 'clock':
        if (item.clockLearned) return refused(item, verdict.fault);
        // The wire learns the offset from the date of every answer and applies it to the next signature.
        item.clockLearned = true;
        notExecuted(item);
        return after(isUnknown(item) ? markUnknown(item, verdict.fault.code) : undefined, () => {
          resting.add(item);
          options.comesBack(item.key);
          if (resting.delete(item)) options.requeue(item);
        });
    }
  }

  /** This attempt was certainly not executed; an earlier one may have been. */
  function notExecuted(item: Journaled): void {
    if (!isUnknown(item)) options.settings.unset(item);
  }

  /** The refusal of a second attempt does not apply to the first, which may have been executed. */
  async function refused(item: Sent, fault: ServiceFault): Promise<void> {
    const { endpoint } = item.request;
    const isLaunch = endpoint === 'executions.launch';
    // What changes one thing by its name is rejected: its record shows what an earlier attempt did.
    const mayHaveOpened = isLaunch || (item.opens && opensAnew(endpoint));
    if (!isUnknown(item) || !mayHaveOpened) return reject(item, fault);
    await markUnknown(item, fault.code);
    if (isLaunch) return reconciliation.query(item, fault);
    return conclusions.unresolved(item, `a later attempt was refused (${fault.code})`);
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

  async function again(
    item: Journaled,
    verdict: Omit<Extract<Verdict, { kind: 'again' }>, 'kind'>,
  ): Promise<void> {
    const { reason } = verdict;
    notExecuted(item);
    // From now on a stop or a cancel finds it: while this is written, and as the answer to the report.
    resting.add(item);
    const state = isUnknown(item) ? 'unknown' : 'deferred';
    await record(journal, item, { state, data: { reason } });
    if (!resting.has(item)) return;
    item.deferralReported = true;
    const isUnreached = state === 'deferred' && !verdict.rateLimited;
    report(item, 'deferred', {
      reason,
      waitsFor: isUnreached ? waitForConnection(item.lane) : reason,
    });
    if (!resting.has(item)) return;
    // A 429 binds the whole key, so the budget holds everything; a broken connection affects one item.
    if (verdict.rateLimited) {
      resting.delete(item);
      return options.requeue(item);
    }
    const delayMs = Math.max(verdict.afterMs, backoffMs(item.attempt, env.random));
    options.detach(sendAfter(item, delayMs));
  }

  async function sendAfter(item: Approved, delayMs: number): Promise<void> {
    resting.add(item);
    await rests.rest(delayMs);
    // What was withdrawn meanwhile has ended.
    if (resting.delete(item)) options.requeue(item);
  }

  async function resolveUnknown(item: Sent): Promise<void> {
    if (resolutionOf(item.request.endpoint) === 'lookup') return reconciliation.query(item);
    if (options.isClosed()) return;
    if (resends.resendRefusal(item) !== undefined) return reconciliation.queryOrLeave(item);
    if (resends.isTried(item)) return conclusions.unresolved(item);
    await sendAfter(item, backoffMs(item.attempt, env.random));
  }
}
