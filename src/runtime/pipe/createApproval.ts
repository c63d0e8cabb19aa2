import { effectOf } from '../../intents/effectOf.ts';
import { isFinal, type IntentState, type Journal } from '../../journal/index.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import type { PersistedIntent } from './PersistedIntent.ts';
import type { Room } from './createRowReservations.ts';
import type { PipeOptions, Preparation, Prepared } from './Pipe.ts';
import type { Reason, Reports } from './createReports.ts';
import type { PipeItem, SendItem } from './PipeItem.ts';
import { takeOut, type Unsent } from './createWithdrawals.ts';
import { approve, foundSent, type Approved, type Passed, type Sent } from './stations.ts';

export interface ApprovalOptions extends Pick<
  PipeOptions,
  'prepare' | 'env' | 'keyInUse' | 'waitForRow'
> {
  reports: Reports;
  journal: Pick<Journal, 'stateOf'>;
  isPastEnd(item: PipeItem): boolean;
  isClosed(): boolean;
  onApproved(item: Approved): void;
}

export interface Approval extends Unsent {
  /** Guards, then the queue: the intent is journaled before anything is sent. */
  evaluate(item: PipeItem, state?: IntentState): void;
  /** A step of an intent was reported: if it was the last, what is to control what it made goes on. */
  follow(event: Pick<PipeEvent, 'state' | 'key'>): void;
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
  /** Controls of what has no id yet, by the key of the intent that may make it. */
  const early = new Map<string, Array<() => void>>();
  /** Their approval is being reported. */
  const approving = new Set<PipeItem>();

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
    if (!options.isPastEnd(item)) return evaluate(item);
    end(item, 'expired', { reason: 'not_after has passed' });
  }

  /** Its target may run already: it must not be lost because the answer is not here yet. */
  function waitForMaker(item: PipeItem, maker: string, state: IntentState): void {
    const goOn = (): void => {
      // The next process waits again, or sends it.
      if (!options.isClosed()) evaluate(item, state);
    };
    early.set(maker, [...(early.get(maker) ?? []), goOn]);
    write(item);
    report(item, 'deferred', { reason: EARLY, waitsFor: 'an answer' });
  }

  function evaluate(item: PipeItem, state: IntentState = 'emitted'): void {
    const result = options.prepare(item.emission, item.key);
    const maker = result.ok ? undefined : result.maker;
    if (maker !== undefined && isUnanswered(options.journal.stateOf(maker)))
      return waitForMaker(item, maker, state);
    if (result.ok && result.prepared.room) return park(item, result.prepared.room);
    const passed = verdictOf(result);
    // What was approved once and is refused now was overtaken by events.
    if (!passed.ok) return end(item, state === 'emitted' ? 'denied' : 'expired', passed.denial);
    const { prepared, verdict } = passed;
    const { lane, weight } = prepared;
    if (state === 'emitted') {
      const { passedGuards } = verdict;
      // The next process needs it, and the intent alone doesn't show it.
      const { added, reduced, target } = prepared;
      const shown = {
        ...(added === undefined ? {} : { added }),
        ...(reduced === undefined ? {} : { reduced }),
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
    evaluate,
    follow({ state, key }) {
      const waiting = early.get(key);
      if (waiting === undefined || isUnanswered(state)) return;
      early.delete(key);
      for (const goOn of waiting) goOn();
    },
    waitOn(item) {
      parked.add(item);
      options.waitForRow(item, () => evaluateAgain(item));
    },
    findSent,
    withdraw: (isOne) => [...takeOut(approving, isOne), ...takeOut(parked, isOne)],
  };
}

const EARLY = 'what it controls has no answer yet';

/** Whether the service may accept it yet, as far as this process finds out. */
const isUnanswered = (state: PipeEvent['state'] | undefined): boolean =>
  state !== undefined && state !== 'duplicate' && state !== 'unresolved' && !isFinal(state);

type Verdict = { ok: true; prepared: Prepared; verdict: Passed } | { ok: false; denial: Reason };

function verdictOf(result: Preparation): Verdict {
  if (!result.ok) return { ok: false, denial: { guard: 'request', reason: result.reason } };
  const { prepared } = result;
  const { verdict } = prepared;
  return verdict.passed ? { ok: true, prepared, verdict } : { ok: false, denial: verdict };
}
