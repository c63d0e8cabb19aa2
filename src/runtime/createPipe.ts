/**
 * The pipe, on one screen, in the order of the data:
 *
 * ```
 * emission → identity → guards → journal → budget → wire → outcome → journal
 *                         │denied            │deferred         │
 *                         └──────────────────┴──── events ─────┘
 * ```
 * Denied and deferred intents travel on as events, so that the journal sees them and a strategy can
 * react. Nothing leaves before `sending` stands in the journal; no answer means unknown.
 */
import type { Budget, Lane } from '../budget/index.ts';
import type { ServiceRequest } from '../contract/index.ts';
import type { Cancel, MarketClock } from '../env/index.ts';
import type { Judgement } from '../guards/index.ts';
import { idempotencyKeyOf, type IntentState, type Journal } from '../journal/index.ts';
import { effectOf } from '../intents/effectOf.ts';
import type { Newcomer, Room } from './createSlots.ts';
import { createQueue } from './createQueue.ts';
import { createSending, type SendingOptions, type TooLate } from './createSending.ts';
import type { Emission } from '../strategy/Emission.ts';
import { explainRefusal } from './explainRefusal.ts';
import type { PipeEvent } from './PipeEvent.ts';
import type { KeptIntent } from './KeptIntent.ts';
import { record, type PipeItem, type SendItem } from './PipeItem.ts';

/** An emission as a request, with what the guards say of it. */
export interface Prepared {
  request: ServiceRequest;
  lane: Lane;
  weight: number;
  /** It may add exposure. */
  opens: boolean;
  verdict: Judgement;
  /** Only a maintained row is lacking, and can be had: it waits, and is judged anew. */
  room?: Room | undefined;
}

const DECISION_AGE = 'max_decision_age_seconds';
const REFUSED: readonly string[] = ['denied', 'rejected'];
const NOTHING = (): void => {};
/** Of the same: what rests for long after many failures must not be all that tries a service that is back. */
const MOST_RESTING = 4;

type FromPipe =
  'tell' | 'requeue' | 'whyTooLate' | 'isPastEnd' | 'isClosed' | 'detach' | 'background';

export interface PipeOptions extends Omit<SendingOptions, FromPipe> {
  market: MarketClock;
  journal: Journal;
  budget: Budget;
  /** Waits on the budget's own clock: market time on a replay, wall time live. */
  at(time: number, run: () => void): Cancel;
  /** Turns an emission into a request and judges it, or says why it can't become one. */
  prepare(
    emission: Emission,
    key: string,
  ): { ok: true; prepared: Prepared } | { ok: false; reason: string };
  /** Takes up what waited for a maintained row; calls back when it is to be looked at again. */
  holdForRow(newcomer: Newcomer, wake: () => void): void;
  onEvent(event: PipeEvent): void;
  /** Why an intent may not add exposure now; undefined where it may. */
  whyNoEntry(emission: Emission): string | undefined;
  /** Why what would add exposure was decided too long ago; undefined where it was not. */
  whyTooOld(emission: Emission): string | undefined;
  /** The journal failed: nothing more is sent. */
  onFatal(error: unknown): void;
  /** 1 on a replay at maximum speed: sends go one at a time, in the order of their intents. */
  concurrency: number;
  /** What an instance may take of a lane that is full, in relation to the others. */
  shareOf(instance: string): number;
  /** Requests under way that only market time brings further; absent where there are none. */
  held?: (() => number) | undefined;
}

export interface Pipe {
  /** Takes an intent at once: its verdict is known when this returns, its sending follows. */
  submit(emission: Emission): void;
  /** Takes up an intent that the journal holds from an earlier process. */
  resume(kept: KeptIntent): void;
  /**
   * The same is on its way already, and this would come after it: one waits for its turn, or as many as may
   * try at once rest before they are sent again. One that is under way is no reason: its line may be dead.
   */
  isPending(emission: Emission): boolean;
  /** What waits is looked at again: entries that may no longer be sent end at once. */
  reconsider(): void;
  /** Ends an intent of an earlier process that was never sent and is too late now. */
  drop(kept: KeptIntent, reason: string): void;
  /** Sends at once what would go out after this turn, for a loop that waits for nothing. */
  flush(): void;
  /**
   * Resolves when nothing is being sent or found out about; what waits for the budget's clock may
   * wait on.
   */
  settled(): Promise<void>;
  /** Nothing is being sent or found out about: {@link Pipe.settled} would resolve at once. */
  isIdle(): boolean;
  /** No further sends; resolves when those under way are concluded. */
  close(): Promise<void>;
  /** Requests sent so far. */
  sends(): number;
}

export function createPipe(options: PipeOptions): Pipe {
  const { journal, market } = options;
  let sends = 0;
  let order = 0;
  const detached = new Set<Promise<void>>();
  const closed = Promise.withResolvers<void>();

  const tell = (item: PipeItem, state: PipeEvent['state'], extra?: Partial<PipeEvent>): void => {
    const { emission, key, attempt } = item;
    const event: PipeEvent = { state, emission, key, attempt, ...extra };
    options.onEvent(REFUSED.includes(state) ? explainRefusal(event) : event);
  };
  const fail = (error: unknown): void => {
    void queue.close();
    options.onFatal(error);
  };
  const attempt = (begin: () => void | Promise<void>): void | Promise<void> => {
    try {
      return begin();
    } catch (error) {
      return fail(error);
    }
  };

  /** Runs to the end of what was begun, however it comes to it; a failure is the journal's. */
  const conclude = (begin: () => void | Promise<void>, ended: () => void): void => {
    const work = attempt(begin);
    if (work === undefined) ended();
    else void work.catch(fail).finally(ended);
  };

  const write = (item: PipeItem): void => conclude(() => record(journal, item), NOTHING);

  const leaving: Array<() => void> = [];
  let willFlush = false;
  const flush = (): void => {
    for (let leave = leaving.shift(); leave !== undefined; leave = leaving.shift()) leave();
  };
  /** At the latest when this turn of the machine's own loop is over. */
  const leave = (begin: () => void | Promise<void>, ended: () => void): void => {
    leaving.push(() => conclude(begin, ended));
    if (willFlush) return;
    willFlush = true;
    void Promise.resolve().then(() => {
      willFlush = false;
      flush();
    });
  };

  const isPastEnd = ({ emission: { intent } }: PipeItem): boolean =>
    intent.not_after !== undefined && market.now() > intent.not_after;

  /** The guards said yes some time ago; what was sent is another matter, and found out about. */
  const whyTooLate = (item: SendItem): TooLate | undefined => {
    if (item.unknownSince !== undefined) return undefined;
    if (isPastEnd(item)) return { reason: 'not_after has passed' };
    if (!item.opens) return undefined;
    const reason = options.whyNoEntry(item.emission);
    if (reason !== undefined) return { reason };
    const tooOld = options.whyTooOld(item.emission);
    return tooOld === undefined ? undefined : { reason: tooOld, guard: DECISION_AGE };
  };

  const sending = createSending({
    ...options,
    tell,
    whyTooLate,
    isPastEnd,
    requeue: (item) => queue.push(item),
    isClosed: () => queue.isClosed(),
    background: (work) => void work.catch(fail),
    detach(work) {
      const followed = work.catch(fail).finally(() => detached.delete(followed));
      detached.add(followed);
    },
    send: (request, emission) => {
      sends++;
      const exchange = options.send(request, emission);
      queue.look();
      return exchange;
    },
  });

  const queue = createQueue({
    ...options,
    // Where market time alone brings requests further, it alone tells how far apart they are.
    after: (delayMs, run) =>
      options.held === undefined
        ? options.env.timers.after(delayMs, run)
        : market.at(market.now() + delayMs, run),
    isTooLate: (item) => whyTooLate(item) !== undefined,
    run(item, ended) {
      let rest: (() => void | Promise<void>) | undefined;
      const begin = (): void | Promise<void> => {
        const begun = item.isSent ? sending.resolve(item) : sending.send(item);
        if (typeof begun !== 'function') return begun;
        rest = begun;
      };
      conclude(begin, () => (rest === undefined ? ended() : leave(rest, ended)));
    },
    onDeferred(item, reason) {
      if (item.deferralTold) return;
      item.deferralTold = true;
      // An unknown intent stays unknown in the journal: to forget that would be to deny it was sent.
      if (item.unknownSince === undefined) item.steps.push({ state: 'deferred', data: { reason } });
      const waitsFor = reason === 'retry_after' ? reason : `budget (${item.lane})`;
      tell(item, 'deferred', { reason, waitsFor });
    },
    onSuperseded(item, by) {
      item.steps.push({ state: 'expired', data: { reason: 'superseded', by: by.key } });
      write(item);
      tell(item, 'expired', { reason: `superseded by ${by.key}` });
    },
  });

  /** The key of a decision: its generation grows only when the former one is proven absent. */
  const identityOf = (decisionKey: string) => {
    for (let generation = 0; ; generation++) {
      const key = idempotencyKeyOf(decisionKey, generation);
      const state = journal.stateOf(key);
      if (state !== 'absent') return { key, generation, isKnown: state !== undefined };
    }
  };

  const toSendItem = (
    item: PipeItem,
    { request, lane, weight, opens }: Pick<SendItem, 'request' | 'lane' | 'weight' | 'opens'>,
  ): SendItem => {
    const fresh = { deferralTold: false, clockLearned: false, isSent: false };
    return { ...item, request, lane, weight, opens, ...fresh, order: order++ };
  };

  const reopen = ({ emission, key, generation, attempt }: KeptIntent): PipeItem => {
    return { emission, key, generation, steps: [], opened: true, attempt };
  };

  /** The journal hears of the wait before anything is cancelled for it. */
  const park = (item: PipeItem, { reason, begin }: Room): void => {
    item.steps.push({ state: 'deferred', data: { reason } });
    write(item);
    tell(item, 'deferred', { reason, waitsFor: 'a maintained row' });
    begin(() => lookAgain(item));
  };

  const lookAgain = (item: PipeItem): void => {
    // As it stands in the journal, the next process takes it up.
    if (queue.isClosed()) return;
    if (!isPastEnd(item)) return judge(item);
    const reason = 'not_after has passed';
    item.steps.push({ state: 'expired', data: { reason } });
    write(item);
    tell(item, 'expired', { reason });
  };

  /** Guards, then the queue: the journal hears of it before anything is sent. */
  const judge = (item: PipeItem, state: IntentState = 'emitted'): void => {
    const result = options.prepare(item.emission, item.key);
    if (result.ok && result.prepared.room) return park(item, result.prepared.room);
    const denial = denialOf(result);
    if (denial !== undefined || !result.ok) {
      // What was approved once and is refused now was overtaken by events.
      const end = state === 'emitted' ? 'denied' : 'expired';
      item.steps.push({ state: end, data: { ...denial } });
      write(item);
      return tell(item, end, { ...denial });
    }
    const { request, lane, weight, opens, verdict } = result.prepared;
    const { passedGuards } = verdict;
    if (state === 'emitted') {
      item.steps.push({ state: 'guarded', data: { lane, weight, passedGuards } });
    }
    const ready = toSendItem(item, { request, lane, weight, opens });
    tell(ready, 'guarded');
    queue.push(ready);
    // Sent at once, its steps went into the journal with `sending`; else they go in now.
    write(ready);
  };

  /** Nothing is sent any more; at a kill level it is kept what the strategy wanted. */
  function refuse(item: PipeItem): void {
    if (!options.isCut()) return tell(item, 'expired', { reason: 'the bot is stopping' });
    const denial = { guard: 'kill_level', reason: 'the wire is cut' };
    item.steps.push({ state: 'denied', data: denial });
    write(item);
    tell(item, 'denied', denial);
  }

  return {
    submit(emission) {
      const { key, generation, isKnown } = identityOf(emission.decisionKey);
      const steps = [{ state: 'emitted' as const, data: causeOf(emission) }];
      const item: PipeItem = { emission, key, generation, steps, opened: false, attempt: 0 };
      if (isKnown) return tell(item, 'duplicate');
      if (queue.isClosed()) return refuse(item);

      judge(item);
    },
    resume(kept) {
      const item = reopen(kept);
      if (kept.stage === 'unsent') {
        if (!kept.waitsForRow) return judge(item, kept.state);
        return options.holdForRow(item, () => lookAgain(item));
      }
      const { entries, opaque } = effectOf(kept.emission.intent);
      // The lane tells what the order was that it changes: moving an exit opens nothing.
      const opens = kept.lane === 'entry' && (entries.length > 0 || opaque);
      const ready: SendItem = { ...toSendItem(item, { ...kept, opens }), isSent: true };
      // Absence is proven by this process's clock alone: the wall's may have been set meanwhile.
      ready.unknownSince = options.env.clock.monotonicNow();
      ready.lastSentAt = ready.unknownSince;
      ready.sentBeforeMs = kept.sentForMs;
      ready.isOvertaken = kept.isOvertaken === true;
      const reason = 'found in the journal, without an answer';
      if (kept.state !== 'unknown') ready.steps.push({ state: 'unknown', data: { reason } });
      tell(ready, 'unknown', { reason });
      queue.push(ready);
      write(ready);
    },
    drop(kept, reason) {
      const item = reopen(kept);
      const state = kept.state === 'emitted' ? 'denied' : 'expired';
      item.steps.push({ state, data: { reason } });
      write(item);
      tell(item, state, { reason });
    },
    isPending(emission) {
      const isSame = sameAs(emission);
      return queue.holds(isSame) || sending.countResting(isSame) >= MOST_RESTING;
    },
    reconsider: () => queue.pump(),
    flush,
    async settled() {
      flush();
      await queue.settled();
      while (detached.size > 0 && !queue.isClosed()) {
        await Promise.race([Promise.all(detached), closed.promise]);
        await queue.settled();
      }
    },
    close() {
      closed.resolve();
      const ended = queue.close();
      sending.close();
      return ended;
    },
    isIdle: () => queue.isIdle() && detached.size === 0,
    sends: () => sends,
  };
}

function denialOf(
  result: { ok: true; prepared: Prepared } | { ok: false; reason: string },
): { guard: string; reason: string } | undefined {
  if (!result.ok) return { guard: 'request', reason: result.reason };
  const { verdict } = result.prepared;
  return verdict.passed ? undefined : verdict;
}

/** Whether somebody wants the very same for the same wallet. */
function sameAs({ intent, instance, wallet }: Emission): (item: SendItem) => boolean {
  const text = JSON.stringify(intent);
  return ({ emission: other }) =>
    other.instance === instance && other.wallet === wallet && JSON.stringify(other.intent) === text;
}

/** What a person needs to understand a decision later. */
function causeOf(emission: Emission): Record<string, unknown> {
  const { cause, ordinal, marketTime, causeTime = marketTime, isCatchUp } = emission;
  const known = { cause, ordinal, marketTime };
  if (causeTime === marketTime && isCatchUp !== true) return known;
  return isCatchUp === true ? { ...known, causeTime, isCatchUp } : { ...known, causeTime };
}
