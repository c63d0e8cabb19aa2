import { symbolOf } from '../../intents/index.ts';
import { laneOfWait, type PipeEvent, type Unanswered } from '../../runtime/index.ts';
import type { StrategyFault } from '../../strategy/index.ts';
import type { IntentSummary, UnansweredRow } from './BotView.ts';

/** What became of a strategy's intents. */
export interface IntentCounts {
  emitted: number;
  accepted: number;
  /** By guard, or by the service's code. */
  denied: Readonly<Record<string, number>>;
  newest: IntentSummary | null;
}

/** Follows intents from their first step to their last. */
export interface IntentTrack {
  follow(event: PipeEvent): void;
  /** Takes a malformed intent, which never reaches the pipe: it is denied by `malformed`, or `malformed_exit`. */
  refuse(fault: Pick<StrategyFault, 'instance' | 'isExit'>): void;
  /** Takes what an earlier process left without an answer. */
  recover(found: readonly Unanswered[]): void;
  of(instance: string): IntentCounts;
  unanswered(): UnansweredRow[];
  /** Intents that wait: for the budget or the connection by lane, others by what they wait for. */
  deferred(): Record<string, number>;
  /** How often each step was taken, by kind of intent and state. */
  steps(): ReadonlyMap<string, number>;
  /** Denials by guard, over all strategies. */
  denied(): Readonly<Record<string, number>>;
  /** Another track that has seen the same, and goes its own way. */
  copy(): IntentTrack;
}

/** Reasons of what was no intent, beside the guards' names. */
export const MALFORMED = 'malformed';
export const MALFORMED_EXIT = 'malformed_exit';

interface Seen {
  /** Bounded by what the pipe holds itself. */
  open: Map<string, OpenIntent>;
  counts: Map<string, Counts>;
  steps: Map<string, number>;
  denied: Record<string, number>;
}

/** Why an intent of an earlier process has no outcome yet. */
const LEFT = 'an earlier process sent it and ended before its answer';
/** Steps of an attempt after the first. */
const AGAIN: readonly string[] = ['deferred', 'sending'];
const ENDED: readonly string[] = ['denied', 'accepted', 'rejected', 'expired', 'absent'];

interface OpenIntent extends IntentSummary {
  instance: string;
  wallet: string;
  reason: string;
  waitsFor: string | undefined;
}

interface Counts {
  emitted: number;
  accepted: number;
  denied: Record<string, number>;
  newest: IntentSummary | null;
}

/** @param settleCommand the command that settles an intent, by its key */
export function createIntentTrack(settleCommand: (key: string) => string): IntentTrack {
  const seen = { open: new Map(), counts: new Map(), steps: new Map(), denied: {} };
  return trackFrom(seen, settleCommand);
}

function trackFrom(seen: Seen, settleCommand: (key: string) => string): IntentTrack {
  const { open, counts, steps, denied } = seen;

  const countsOf = (instance: string): Counts => {
    const known = counts.get(instance);
    if (known !== undefined) return known;
    const fresh: Counts = { emitted: 0, accepted: 0, denied: {}, newest: null };
    counts.set(instance, fresh);
    return fresh;
  };

  return {
    follow({ state, emission, key, reason, fault, guard, waitsFor }) {
      if (state === 'duplicate') return;
      const { intent, instance, wallet, marketTime: time } = emission;
      const { kind } = intent;
      const step = `${kind} ${state}`;
      steps.set(step, (steps.get(step) ?? 0) + 1);
      const count = countsOf(instance);
      if (!open.has(key)) count.emitted += 1;
      const summary = { key, kind, symbol: symbolOf(intent), state, time };
      if (count.newest === null || time >= count.newest.time) count.newest = summary;
      if (state === 'accepted') count.accepted += 1;
      if (state === 'denied' || state === 'rejected') {
        const by = fault?.code ?? guard ?? state;
        count.denied[by] = (count.denied[by] ?? 0) + 1;
        if (state === 'denied') denied[by] = (denied[by] ?? 0) + 1;
      }
      if (ENDED.includes(state)) open.delete(key);
      else {
        const known = open.get(key);
        const why = reason ?? fault?.message ?? '';
        // What may have been executed is a question until it is answered, though it waits or is sent again.
        if (known?.state === 'unknown' && AGAIN.includes(state)) known.reason = why || known.reason;
        else open.set(key, { ...summary, instance, wallet, reason: why, waitsFor });
      }
    },
    refuse({ instance, isExit }) {
      const count = countsOf(instance);
      count.emitted += 1;
      const by = isExit === true ? MALFORMED_EXIT : MALFORMED;
      count.denied[by] = (count.denied[by] ?? 0) + 1;
      denied[by] = (denied[by] ?? 0) + 1;
    },
    recover(found) {
      for (const about of found) {
        if (open.has(about.key)) continue;
        // Sent without any answer is looked up by now; what was left to the operator still is.
        const state = about.state === 'unresolved' ? about.state : 'unknown';
        open.set(about.key, { ...about, state, reason: LEFT, waitsFor: undefined });
      }
    },
    of: (instance) => countsOf(instance),
    unanswered: () =>
      [...open.values()]
        .filter(({ state }) => state === 'unknown' || state === 'unresolved')
        .map(({ instance: strategy, wallet, reason, key, kind, symbol, state, time }) => {
          const summary = { key, kind, symbol, state: state as 'unknown' | 'unresolved', time };
          return { ...summary, strategy, wallet, reason, command: settleCommand(key) };
        }),
    deferred() {
      const waiting: Record<string, number> = {};
      for (const { state, waitsFor = 'other' } of open.values()) {
        if (state !== 'deferred') continue;
        const by = laneOfWait(waitsFor) ?? waitsFor;
        waiting[by] = (waiting[by] ?? 0) + 1;
      }
      return waiting;
    },
    steps: () => steps,
    denied: () => denied,
    copy: () => trackFrom(structuredClone(seen), settleCommand),
  };
}
