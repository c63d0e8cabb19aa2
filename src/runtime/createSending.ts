import type { Budget } from '../budget/index.ts';
import type { Exchange, ServiceFault, ServiceRequest } from '../contract/index.ts';
import { after, type Env } from '../env/index.ts';
import { isFinal, type Journal, type Step as JournalStep } from '../journal/index.ts';
import { backoffMs, classify, endsById, resolutionOf, type Verdict } from '../outcomes/index.ts';
import type { Emission } from '../strategy/Emission.ts';
import type { PipeEvent } from './PipeEvent.ts';
import { createSettings } from './createSettings.ts';
import { record, type SendItem } from './PipeItem.ts';

/** What a look-up by our own id found; `missing` is not yet absent, `unclear` is no answer. */
export type LookUp = { kind: 'found'; record: unknown } | { kind: 'missing' } | { kind: 'unclear' };

/** Why something is not sent any more, and the guard that says so, where one does. */
export interface TooLate {
  reason: string;
  guard?: string;
}

export interface SendingOptions {
  env: Env;
  journal: Journal;
  budget: Budget;
  /** Sends it once; what the answer says of the budget is learned there. */
  send(request: ServiceRequest, emission: Emission): Exchange | Promise<Exchange>;
  lookUp(emission: Emission, key: string): Promise<LookUp>;
  /** How long after it was sent a request may still be executed: signature window and processing. */
  absentAfterMs: number;
  learnClock(fault: ServiceFault): void;
  /** Why an item of which nothing was sent must not be sent any more. */
  whyTooLate(item: SendItem): TooLate | undefined;
  /** Why what would add exposure was decided too long ago. */
  whyTooOld(emission: Emission): string | undefined;
  /** The end that an intent sets itself has passed; what may have been sent is looked for all the same. */
  isPastEnd(item: SendItem): boolean;
  /** A kill level stands: not even what may have been sent already is sent again to add exposure. */
  isKilled(): boolean;
  /** Kill level L4 stands: not a byte leaves. */
  isCut(): boolean;
  tell(item: SendItem, state: PipeEvent['state'], extra?: Partial<PipeEvent>): void;
  /** Puts an item back into its lane. */
  requeue(item: SendItem): void;
  isClosed(): boolean;
  /** Goes on with what may take minutes, without holding up what waits to be sent. */
  detach(work: Promise<void>): void;
  /** Goes on with what nobody waits for. */
  background(work: Promise<void>): void;
}

/**
 * Same key and bytes for so long since the first attempt (reliability: the outcome table), whichever
 * process made it: an exit is not given up after a few seconds of trouble, and nothing is done for a
 * reason of yesterday. What ends one thing by its id has as long in each process.
 */
const RESEND_MS = 600_000;
/** Look-ups end some time after the last attempt that could still be executed. */
const LOOK_UP_MS = 1_200_000;
const LATE_LOOK_MS = 20_000;
const CUT = 'the wire is cut';
export const OVERTAKEN = 'a later request has set the same since';
/** Look-ups that must find nothing, the last of them after the window, before it is absent. */
const MISSING_FOR_ABSENT = 2;

const isLaunch = ({ request }: SendItem): boolean => request.endpoint === 'executions.launch';

/** Follows items to their conclusion, journal first (AUTH-6, ERR-1, LIM-2). */
export interface Sending {
  /**
   * Sends an item that the budget admitted. Where the journal has written it at once, what is left to do
   * is the answer: it is proposed in the midst of a turn, and leaves after it.
   */
  send(item: SendItem): Step;
  /** Finds out about an item that an earlier process may have sent, without sending it here. */
  resolve(item: SendItem): void | Promise<void>;
  /** How many of these rest before they are sent again. */
  countResting(isOne: (item: SendItem) => boolean): number;
  /** Nothing is waited for any more: what is unknown stays so, for the next process to find out. */
  close(): void;
}

type Doubt = Extract<Verdict, { kind: 'doubtful' }>;

type Step = void | Promise<void> | (() => void | Promise<void>);

export function createSending(options: SendingOptions): Sending {
  const { env, journal, budget, tell } = options;
  const settings = createSettings();
  /** Ends the rests that go on: a bot that has stopped must not keep its process for a look-up. */
  const wakes = new Set<() => void>();
  const rest = (delayMs: number): Promise<void> => {
    if (options.isClosed()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => {
      wakes.delete(wake);
      cancel();
      resolve();
    };
    const cancel = env.timers.after(delayMs, wake);
    wakes.add(wake);
    return promise;
  };
  const resting = new Set<SendItem>();

  return {
    send,
    resolve(item) {
      item.isSent = false;
      return after(record(journal, item), () => {
        if (item.isOvertaken === true) return leaveUnresolved(item, OVERTAKEN);
        options.detach(resolveUnknown(item));
      });
    },
    countResting: (isOne) => [...resting].filter(isOne).length,
    close() {
      for (const wake of wakes) wake();
    },
  };

  function send(item: SendItem): Step {
    item.deferralTold = false;
    const late = options.whyTooLate(item);
    if (late !== undefined) return expire(item, late);
    if (settings.isOvertaken(item)) return yieldTo(item);
    if (whyNotAgain(item) !== undefined) return onlyLook(item);
    item.attempt++;
    budget.spend(item.weight, item.lane);
    const written = record(journal, item, { state: 'sending', ...bytesOf(item) });
    if (written === undefined) return () => dispatch(item);
    return written.then(() => dispatch(item));
  }

  /** What stands in the journal as `sending` leaves. */
  function dispatch(item: SendItem): void | Promise<void> {
    if (options.isCut()) return again(item, { afterMs: 0, reason: CUT, rateLimited: true });
    // A 429 may have come to another intent while this one was being written.
    if (isHeld()) return again(item, { afterMs: 0, reason: 'retry_after', rateLimited: true });
    // The gate may have closed meanwhile, too: it is a wait like any other.
    const closed = options.whyTooLate(item);
    if (closed !== undefined) return expire(item, closed);
    const barred = whyNotAgain(item);
    if (barred !== undefined) return after(markUnknown(item, barred), () => onlyLook(item));
    if (settings.isOvertaken(item)) return yieldTo(item);
    settings.leaves(item);
    tell(item, 'sending');
    item.lastSentAt = env.clock.monotonicNow();
    const exchange = options.send(item.request, item.emission);
    return after(exchange, (answer) => conclude(item, classify(answer, item.request.endpoint)));
  }

  /** What recovery needs to send it again, where there will be a recovery. */
  function bytesOf({ attempt, request }: SendItem): Pick<JournalStep, 'data'> {
    if (!journal.keepsTexts) return {};
    const { endpoint, pathParams, query, body } = request;
    return { data: { attempt, endpoint, pathParams, query, body } };
  }

  function expire(item: SendItem, why: TooLate): void | Promise<void> {
    return after(record(journal, item, { state: 'expired', data: { ...why } }), () =>
      tell(item, 'expired', why),
    );
  }

  /** Sent now, it would undo what was wanted later. */
  function yieldTo(item: SendItem): void | Promise<void> {
    if (item.unknownSince === undefined) return expire(item, { reason: OVERTAKEN });
    return leaveUnresolved(item, OVERTAKEN);
  }

  /**
   * Why only looking is allowed for what may have been sent: sent again, what never arrived would do
   * today what was wanted then, and an entry would be new exposure.
   */
  function whyNotAgain(item: SendItem): string | undefined {
    if (item.unknownSince === undefined) return undefined;
    const isOld = triedMs(item) + (item.sentBeforeMs ?? 0) >= RESEND_MS;
    if (isOld && !endsById(item.request.endpoint)) return 'it was sent too long ago';
    if (!item.opens) return undefined;
    if (options.isKilled()) return 'a kill level stands';
    if (options.isPastEnd(item)) return 'not_after has passed';
    return options.whyTooOld(item.emission);
  }

  /** How long this process has gone without an answer. */
  function triedMs({ unknownSince }: SendItem): number {
    return unknownSince === undefined ? 0 : env.clock.monotonicNow() - unknownSince;
  }

  /** What can't be looked up by an id of ours is left to a person. */
  function onlyLook(item: SendItem): void | Promise<void> {
    const canLook = isLaunch(item) || resolutionOf(item.request.endpoint) === 'lookup';
    return canLook ? options.detach(lookUp(item)) : leaveUnresolved(item);
  }

  function isHeld(): boolean {
    const admission = budget.admit('control', 0);
    return !admission.admitted && admission.reason === 'retry_after';
  }

  function conclude(item: SendItem, verdict: Verdict): void | Promise<void> {
    switch (verdict.kind) {
      case 'accepted':
        return accept(item, verdict.record);
      case 'rejected':
        return refused(item, verdict.fault);
      case 'doubtful':
        return doubtful(item, verdict);
      case 'exists':
        return after(markUnknown(item, verdict.fault.code), () => options.detach(lookUp(item)));
      case 'unknown':
        return after(markUnknown(item, verdict.reason), () => options.detach(resolveUnknown(item)));
      case 'again':
        return again(item, verdict);
      case 'clock':
        if (item.clockLearned) return refused(item, verdict.fault);
        item.clockLearned = true;
        options.learnClock(verdict.fault);
        // This attempt is known to be none; an earlier one may have been executed all the same.
        return after(
          item.unknownSince === undefined ? undefined : markUnknown(item, verdict.fault.code),
          () => options.requeue(item),
        );
    }
  }

  function accept(item: SendItem, found: unknown): void | Promise<void> {
    const data = { record: found };
    return after(record(journal, item, { state: 'accepted', data }), () =>
      tell(item, 'accepted', data),
    );
  }

  /** The refusal of a second attempt says nothing of the first, which may have been executed. */
  async function refused(item: SendItem, fault: ServiceFault): Promise<void> {
    if (item.unknownSince === undefined || !isLaunch(item)) return reject(item, fault);
    await markUnknown(item, fault.code);
    return options.detach(lookUp(item, fault));
  }

  /**
   * A code of a newer service (ERR-2). What can be looked up is, and ends with that code where nothing is
   * found. Of the rest, only what can't add exposure is taken for refused on this word alone.
   */
  async function doubtful(item: SendItem, { fault, status }: Doubt): Promise<void> {
    const canLook = isLaunch(item) || resolutionOf(item.request.endpoint) === 'lookup';
    if (!canLook && !item.opens) return refused(item, fault);
    await markUnknown(item, `${status} ${fault.code}`);
    return options.detach(canLook ? lookUp(item, fault) : resolveUnknown(item));
  }

  async function reject(item: SendItem, fault: ServiceFault): Promise<void> {
    settings.refused(item);
    await record(journal, item, { state: 'rejected', data: { fault } });
    tell(item, 'rejected', { fault });
  }

  /** Nothing was executed by this attempt; an earlier one that went unanswered still counts. */
  async function again(item: SendItem, verdict: Omit<Extract<Verdict, { kind: 'again' }>, 'kind'>) {
    const { reason } = verdict;
    const state = item.unknownSince === undefined ? 'deferred' : 'unknown';
    await record(journal, item, { state, data: { reason } });
    item.deferralTold = true;
    tell(item, 'deferred', { reason });
    // A 429 binds the whole key, so the budget holds everything; a broken line binds one item.
    if (verdict.rateLimited) return options.requeue(item);
    const delayMs = Math.max(verdict.afterMs, backoffMs(item.attempt, env.random));
    options.detach(sendAfter(item, delayMs));
  }

  async function sendAfter(item: SendItem, delayMs: number): Promise<void> {
    resting.add(item);
    await rest(delayMs);
    resting.delete(item);
    options.requeue(item);
  }

  async function markUnknown(item: SendItem, reason: string): Promise<void> {
    await record(journal, item, { state: 'unknown', data: { reason } });
    item.unknownSince ??= env.clock.monotonicNow();
    tell(item, 'unknown', { reason });
  }

  /** The key makes the same bytes safe to send for a while; after that, only looking is. */
  async function resolveUnknown(item: SendItem): Promise<void> {
    if (resolutionOf(item.request.endpoint) === 'lookup') return lookUp(item);
    if (options.isClosed()) return;
    if (whyNotAgain(item) !== undefined) return onlyLook(item);
    if (triedMs(item) >= RESEND_MS) return leaveUnresolved(item);
    await sendAfter(item, backoffMs(item.attempt, env.random));
  }

  /**
   * Found is accepted; absent needs two look-ups that miss it, the last one asked past the window.
   * Where neither comes for long, a person is told, and it goes on looking.
   *
   * @param refusal what a later attempt was refused with; the end, where the first left nothing
   */
  async function lookUp(item: SendItem, refusal?: ServiceFault): Promise<void> {
    const since = item.unknownSince ?? env.clock.monotonicNow();
    const lastSentAt = item.lastSentAt ?? since;
    let missing = 0;
    /** @returns whether it is concluded */
    const look = async (): Promise<boolean> => {
      // What a look-up missed before the window's end may have been executed since.
      const isPastWindow = env.clock.monotonicNow() - lastSentAt >= options.absentAfterMs;
      const result = await options.lookUp(item.emission, item.key);
      // A person who settled it meanwhile has the last word.
      if (isOver(item)) return true;
      if (result.kind === 'found') await accept(item, result.record);
      if (result.kind !== 'missing') return result.kind === 'found';
      missing++;
      if (!isPastWindow || missing < MISSING_FOR_ABSENT) return false;
      await (refusal === undefined ? concludeAbsent(item) : reject(item, refusal));
      return true;
    };
    for (let round = 1; !options.isClosed(); round++) {
      if (await look()) return;
      if (env.clock.monotonicNow() - since >= LOOK_UP_MS) break;
      await rest(backoffMs(round, env.random));
    }
    if (options.isClosed()) return;
    await leaveUnresolved(item);
    options.background(keepLooking(look));
  }

  async function keepLooking(look: () => Promise<boolean>): Promise<void> {
    while (!options.isClosed()) {
      await rest(LATE_LOOK_MS);
      if (options.isClosed() || (await look())) return;
    }
  }

  function isOver({ key }: SendItem): boolean {
    const state = journal.stateOf(key);
    return state !== undefined && isFinal(state);
  }

  async function concludeAbsent(item: SendItem): Promise<void> {
    await record(journal, item, { state: 'absent' });
    tell(item, 'absent');
  }

  async function leaveUnresolved(item: SendItem, why = 'no answer and no evidence'): Promise<void> {
    const reason = `${why}; look it up on the service`;
    await record(journal, item, { state: 'unresolved', data: { reason } });
    tell(item, 'unresolved', { reason });
  }
}
