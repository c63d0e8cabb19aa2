import type { Intent } from '../../intents/index.ts';
import { isFinal, type IntentState, type Journal, type Step } from '../../journal/index.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import type { Reason, Reports } from './createReports.ts';
import { isStop, NOT_NEEDED, type Withdrawals } from './createWithdrawals.ts';
import type { PipeItem } from './PipeItem.ts';

export interface EarlyControlsOptions {
  reports: Reports;
  journal: Pick<Journal, 'stateOf'>;
  insteadOf: Withdrawals['insteadOf'];
  isClosed(): boolean;
  /** Guards, then the queue; or it waits here again. */
  evaluate(item: PipeItem, state: IntentState): void;
}

/**
 * Controls by a ref of what has no name yet: its intent has no answer, and no stream shows what came of it. They go on
 * once it has one, or once nothing comes of it.
 */
export interface EarlyControls {
  /** Of an intent that names a ref: what was decided earlier about the same goes first. */
  take(item: PipeItem, state: IntentState): void;
  mustWait(item: PipeItem): boolean;
  wait(item: PipeItem, state: IntentState): void;
  /** The streams may show a name by now. */
  look(): void;
  /** An intent of this key waits unsent again. */
  comesBack(key: string): void;
  /** A step of an intent was reported. */
  follow(event: Pick<PipeEvent, 'state' | 'key'>): void;
}

/** One that waits, and what the journal has of it. */
interface Early {
  item: PipeItem;
  state: IntentState;
}

const EARLY = 'what it controls has no answer yet';
const NOT_SENT = { reason: 'what it controls was not sent, and is not sent any more' };
/** Nothing of it is sent, so that no guard has to pass it. */
const UNGUARDED: Step = {
  state: 'guarded',
  data: { lane: 'control', weight: 0, passedGuards: [] },
};

export function createEarlyControls(options: EarlyControlsOptions): EarlyControls {
  const { report, write, end, superseded } = options.reports;
  /** By the key of the intent that may make what they are about, in the order of their decisions. */
  const early = new Map<string, Early[]>();
  /** Lists of them that are being evaluated now, and what the present one is about. */
  const going: Array<{ about: string; waiting: Early[] }> = [];

  /** Its target may run already: it must not be lost because the answer is not here yet. */
  const mustWait = ({ meant }: PipeItem): boolean =>
    meant !== undefined &&
    meant.name() === undefined &&
    isUnanswered(options.journal.stateOf(meant.key));

  function wait(item: PipeItem, state: IntentState): void {
    const { key } = item.meant!;
    const waiting = early.get(key) ?? [];
    early.set(key, waiting);
    // A strategy that decides the same at each tick must not fill the memory.
    const at = waiting.findIndex((one) => repeats(item, one.item));
    const former = at < 0 ? undefined : waiting.splice(at, 1)[0];
    // The last course counts; nothing comes after a stop, which keeps its place.
    const place = former !== undefined && isStop(item) ? at : waiting.length;
    waiting.splice(place, 0, { item, state });
    write(item);
    report(item, 'deferred', { reason: EARLY, waitsFor: 'an answer' });
    if (former === undefined) return;
    pass(former);
    superseded(former.item, item);
  }

  function wake(key: string): void {
    // The next process waits again, or sends it.
    if (options.isClosed()) return;
    const waiting = early.get(key)!;
    if (going.some((one) => one.waiting === waiting)) return;
    const turn = { about: key, waiting };
    going.push(turn);
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      // Once nothing comes of one, its ref means the one before: that may have no name either.
      turn.about = next.item.meant!.key;
      if (turn.about === key && mustWait(next.item)) break;
      waiting.shift();
      options.evaluate(next.item, next.state);
    }
    going.splice(going.indexOf(turn), 1);
    if (waiting.length === 0) early.delete(key);
  }

  function look(): void {
    if (early.size > 0) for (const key of early.keys()) wake(key);
  }

  /** It must not be sent, only to be stopped after that. */
  function comesBack(key: string): void {
    const stop = early.get(key)?.find(({ item }) => isStop(item));
    if (stop !== undefined && !options.isClosed()) endsInstead(stop.item, key);
  }

  /** Whether a stop has ended what it is about; what waited for that ends, too, and must not act on an older one. */
  function endsInstead(stop: PipeItem, key: string): boolean {
    const waiting = early.get(key) ?? [];
    const all = waiting.splice(0);
    if (!options.insteadOf(stop)) {
      waiting.push(...all);
      return false;
    }
    if (early.get(key)?.length === 0) early.delete(key);
    for (const one of all) endUnsent(one, isStop(one.item) ? NOT_NEEDED : NOT_SENT);
    return true;
  }

  function pass({ item, state }: Early): void {
    if (state === 'emitted') item.steps.push(UNGUARDED);
  }

  function endUnsent(one: Early, why: Reason): void {
    pass(one);
    end(one.item, 'expired', why);
  }

  return {
    take(item, state) {
      const { key } = item.meant!;
      // A strategy decides it as its answer to one of these.
      const turn = going.find(({ about }) => about === key);
      if (turn !== undefined) return void turn.waiting.push({ item, state });
      look();
      if (isStop(item) && endsInstead(item, key)) endUnsent({ item, state }, NOT_NEEDED);
      else options.evaluate(item, state);
    },
    mustWait,
    wait,
    look,
    comesBack,
    follow({ state, key }) {
      if (!early.has(key)) return;
      if (state === 'deferred') comesBack(key);
      else wake(key);
    },
  };
}

/** Whether the service may accept it yet, as far as this process finds out. */
const isUnanswered = (state: IntentState | undefined): boolean =>
  state !== undefined && state !== 'unresolved' && !isFinal(state);

/** Whether a control makes an earlier one of the same needless: it decides the same, and is valid for as long. */
function repeats({ emission: { intent } }: PipeItem, { emission }: PipeItem): boolean {
  const { not_after: end = Number.POSITIVE_INFINITY } = intent;
  const { not_after: formerEnd = Number.POSITIVE_INFINITY } = emission.intent;
  return end >= formerEnd && courseOf(intent) === courseOf(emission.intent);
}

const courseOf = (intent: Intent): string =>
  intent.kind === 'control_execution' ? intent.action : intent.kind;
