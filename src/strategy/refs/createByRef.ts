import { Observable, Subject, type Subscription } from 'rxjs';
import { WARM_UP } from '../createEmissionGate.ts';
import type { Outcome } from '../Outcome.ts';
import type { RefEvent, RefNews } from './RefEvent.ts';
import {
  applyRefNews,
  createRefParts,
  isPending,
  toRefState,
  type RefChange,
  type RefParts,
  type RefState,
} from './RefState.ts';

/** What became of the intent with a `ref`: its fields are those of now, whenever they are read. */
export interface RefView extends RefState {
  /** The state after each change from the subscription on. */
  readonly changes$: Observable<RefState>;
}

export interface ByRef {
  /** The view of a ref; the first call of an instance starts following them. */
  view(ref: string): RefView;
  /** An outcome of the instance, before the plugin receives it. */
  outcome(outcome: Outcome): void;
}

export interface ByRefOptions {
  refs$: Observable<RefEvent>;
  /** The last outcome of a ref before anything was followed. */
  lastOf(ref: string): Outcome | undefined;
  /** What the plugin receives of a ref's changes. */
  toPlugin(changes$: Observable<RefChange>): Observable<RefState>;
  lifetime: Subscription;
  onSourceFailed(error: unknown): void;
}

interface Slot {
  decisionKey: string;
  parts: RefParts;
  /** Of earlier intents with the same ref, whose late events are not the newest one's. */
  older: string[];
  state: RefState | undefined;
}

/** Number of refs that are retained after their intents ended, the newest ones. */
const MOST_REFS = 1_000;
const PRUNE_STEP = MOST_REFS / 8;
const MOST_OLDER = 16;

/** The states of an instance's refs; nothing is followed until the first one is requested. */
export function createByRef(options: ByRefOptions): ByRef {
  const slots = new Map<string, Slot>();
  const changes = new Subject<RefChange>();
  let isFollowing = false;
  let pruneAt = MOST_REFS + PRUNE_STEP;

  function slotOf(ref: string, decisionKey: string): Slot | undefined {
    const known = slots.get(ref);
    if (known?.decisionKey === decisionKey) return known;
    if (known?.older.includes(decisionKey) === true) return undefined;
    const older = known === undefined ? [] : [...known.older, known.decisionKey].slice(-MOST_OLDER);
    const slot = { decisionKey, parts: createRefParts(ref), older, state: undefined };
    slots.delete(ref);
    slots.set(ref, slot);
    if (slots.size >= pruneAt) prune();
    return slot;
  }

  function prune(): void {
    let old = slots.size - MOST_REFS;
    for (const [ref, slot] of slots) {
      if (old-- <= 0) break;
      if (!isPending(slot.parts)) slots.delete(ref);
    }
    pruneAt = slots.size + PRUNE_STEP;
  }

  function stateOf(slot: Slot): RefState {
    slot.state ??= toRefState(slot.parts);
    return slot.state;
  }

  function take(ref: string, decisionKey: string, news: RefNews): void {
    const slot = slotOf(ref, decisionKey);
    if (slot === undefined || !applyRefNews(slot.parts, news)) return;
    slot.state = undefined;
    if (changes.observed) changes.next({ ref, news, state: stateOf(slot) });
  }

  function takeOutcome(outcome: Outcome): void {
    const { intent, decisionKey, guard } = outcome;
    if (intent.ref === undefined) return;
    // Warm-up makes old decisions again; what became of them is known, or they were never made.
    if (guard === WARM_UP && slots.has(intent.ref)) return;
    take(intent.ref, decisionKey, { kind: 'outcome', outcome });
  }

  function follow(): void {
    isFollowing = true;
    options.lifetime.add(
      options.refs$.subscribe({
        next: ({ ref, decisionKey, ...news }) => take(ref, decisionKey, news),
        error: (error) => options.onSourceFailed(error),
      }),
    );
  }

  function now(ref: string): RefState {
    const slot = slots.get(ref);
    return slot === undefined ? toRefState(createRefParts(ref)) : stateOf(slot);
  }

  function view(ref: string): RefView {
    return {
      ref,
      get state() {
        return now(ref).state;
      },
      get outcome() {
        return now(ref).outcome;
      },
      get order() {
        return now(ref).order;
      },
      get executions() {
        return now(ref).executions;
      },
      get monitor() {
        return now(ref).monitor;
      },
      get fills() {
        return now(ref).fills;
      },
      get size() {
        return now(ref).size;
      },
      get filled() {
        return now(ref).filled;
      },
      get remaining() {
        return now(ref).remaining;
      },
      get ended() {
        return now(ref).ended;
      },
      changes$: options.toPlugin(
        new Observable((subscriber) =>
          changes.subscribe((change) => {
            if (change.ref === ref) subscriber.next(change);
          }),
        ),
      ),
    };
  }

  return {
    view(ref) {
      if (!isFollowing) follow();
      const last = slots.has(ref) ? undefined : options.lastOf(ref);
      if (last !== undefined) takeOutcome(last);
      return view(ref);
    },
    outcome(outcome) {
      if (isFollowing) takeOutcome(outcome);
    },
  };
}
