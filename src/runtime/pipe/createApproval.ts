import { effectOf } from '../../intents/effectOf.ts';
import type { IntentState, Journal } from '../../journal/index.ts';
import { createEarlyControls, type EarlyControls } from './createEarlyControls.ts';
import type { PersistedIntent } from './PersistedIntent.ts';
import type { Room } from './createRowReservations.ts';
import type { PipeOptions, Preparation, Prepared } from './Pipe.ts';
import type { Reason, Reports } from './createReports.ts';
import type { PipeItem, SendItem } from './PipeItem.ts';
import { takeOut, type Unsent, type Withdrawals } from './createWithdrawals.ts';
import { approve, foundSent, type Approved, type Passed, type Sent } from './stations.ts';

export interface ApprovalOptions extends Pick<
  PipeOptions,
  'prepare' | 'env' | 'keyInUse' | 'waitForRow'
> {
  reports: Reports;
  journal: Pick<Journal, 'stateOf'>;
  isPastEnd(item: PipeItem): boolean;
  insteadOf: Withdrawals['insteadOf'];
  isClosed(): boolean;
  onApproved(item: Approved): void;
}

export interface Approval extends Unsent, Pick<EarlyControls, 'look' | 'comesBack' | 'follow'> {
  /**
   * Guards, then the queue: the intent is journaled before anything is sent. A stop of what was never sent ends
   * that instead, and a control of what has no name yet waits.
   */
  take(item: PipeItem, state?: IntentState): void;
  /** What waited for a row in an earlier process waits on. */
  waitOn(item: PipeItem): void;
  /** An intent that an earlier process approved and may have sent has the state unknown. */
  findSent(item: PipeItem, persisted: PersistedSent): Sent;
}

type PersistedSent = Extract<PersistedIntent, { stage: 'sent' }>;
type Made = Pick<SendItem, 'request' | 'lane' | 'weight' | 'opens' | 'enters' | 'target'>;

/** The station at which an intent becomes a request that may go out, or ends. */
export function createApproval(options: ApprovalOptions): Approval {
  const { report, write, end } = options.reports;
  let order = 0;
  /** They wait for a row. */
  const parked = new Set<PipeItem>();
  /** Their approval is being reported. */
  const approving = new Set<PipeItem>();

  const early = createEarlyControls({ ...options, evaluate });

  const toSendItem = (item: PipeItem, made: Made): SendItem => {
    const { request, lane, weight, opens, enters, target } = made;
    const { emission, key, generation, decided, steps, opened, attempt } = item;
    const place = order++;
    return {
      emission,
      key,
      generation,
      decided,
      steps,
      opened,
      attempt,
      request,
      lane,
      weight,
      opens,
      enters,
      target,
      order: place,
      turn: place,
      deferralReported: false,
      clockLearned: false,
      isSent: false,
    };
  };

  /** The wait is journaled before anything is cancelled for it. */
  function park(item: PipeItem, { reason, begin }: Room): void {
    parked.add(item);
    end(item, 'deferred', { reason }, { reason, waitsFor: 'a maintained row' });
    // A strategy may have withdrawn it as its answer to that: nothing must be cancelled for it.
    if (!parked.has(item)) return;
    begin(() => evaluateAgain(item));
  }

  /** It is evaluated again, or is too late. */
  function evaluateAgain(item: PipeItem): void {
    // What was withdrawn meanwhile has ended.
    if (!parked.delete(item)) return;
    // With this state in the journal, the next process resumes it.
    if (options.isClosed()) return;
    if (!options.isPastEnd(item)) return evaluate(item, 'emitted');
    end(item, 'expired', { reason: 'not_after has passed' });
  }

  function evaluate(item: PipeItem, state: IntentState): void {
    if (item.meant !== undefined && early.mustWait(item)) return early.wait(item, state);
    const result = options.prepare(item.emission, item.key, item.meant);
    if (result.ok && result.prepared.room) return park(item, result.prepared.room);
    const passed = verdictOf(result);
    // What was approved once and is refused now was overtaken by events.
    if (!passed.ok) return end(item, state === 'emitted' ? 'denied' : 'expired', passed.denial);
    const { prepared, verdict } = passed;
    const { lane, weight } = prepared;
    if (state === 'emitted') {
      const { passedGuards } = verdict;
      // The next process needs it, and the intent alone doesn't show it.
      const { added, reduced, resized, target } = prepared;
      const shown = {
        ...(added === undefined ? {} : { added }),
        ...(reduced === undefined ? {} : { reduced }),
        ...(resized === undefined ? {} : { resized }),
        ...(target === undefined ? {} : { target }),
      };
      item.steps.push({ state: 'guarded', data: { lane, weight, passedGuards, ...shown } });
    }
    const approved = approve(toSendItem(item, prepared), verdict);
    approving.add(approved);
    report(approved, 'guarded');
    // A strategy may have withdrawn it as its answer to that.
    if (!approving.delete(approved)) return;
    options.onApproved(approved);
    // If it is sent at once, its steps are journaled with `sending`; otherwise now.
    write(approved);
  }

  function findSent(item: PipeItem, persisted: PersistedSent): Sent {
    const { entries, opaque } = effectOf(persisted.emission.intent);
    // The lane shows what kind of order it changes: moving an exit opens nothing.
    const opens = persisted.lane === 'entry' && (entries.length > 0 || opaque);
    const now = options.env.clock.monotonicNow();
    const { signedBy = options.keyInUse() } = persisted;
    const fresh = toSendItem(item, { ...persisted, opens });
    const found = foundSent(fresh, { ...persisted, signedBy }, now);
    const reason = 'found in the journal, without an answer';
    if (persisted.state !== 'unknown') found.steps.push({ state: 'unknown', data: { reason } });
    report(found, 'unknown', { reason });
    return found;
  }

  return {
    take(item, state = 'emitted') {
      if (item.meant === undefined) evaluate(item, state);
      else early.take(item, state);
    },
    look: early.look,
    comesBack: early.comesBack,
    follow: early.follow,
    waitOn(item) {
      parked.add(item);
      options.waitForRow(item, () => evaluateAgain(item));
    },
    findSent,
    withdraw: (isOne) => [...takeOut(approving, isOne), ...takeOut(parked, isOne)],
  };
}

type Verdict = { ok: true; prepared: Prepared; verdict: Passed } | { ok: false; denial: Reason };

function verdictOf(result: Preparation): Verdict {
  if (!result.ok) return { ok: false, denial: { guard: 'request', reason: result.reason } };
  const { prepared } = result;
  const { verdict } = prepared;
  return verdict.passed ? { ok: true, prepared, verdict } : { ok: false, denial: verdict };
}
