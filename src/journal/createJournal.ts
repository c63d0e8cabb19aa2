import type { Clock, MarketClock } from '../env/index.ts';
import { isFinal, isLegalTransition, type IntentState } from './IntentState.ts';
import type { IntentRow, JournalEntry, JournalStore } from './JournalStore.ts';

/** A step to record: the state reached and what is known of it. Never a secret. */
export interface Step {
  state: IntentState;
  data?: Readonly<Record<string, unknown>>;
}

export interface Journal {
  /** True when the decision stands in the journal already, in whatever state. */
  holds(key: string): boolean;
  stateOf(key: string): IntentState | undefined;
  /** Records a new intent and its first steps in one durable append. */
  open(intent: IntentRow, steps: readonly Step[]): Promise<void>;
  /** Records further steps of a known intent in one durable append. */
  record(key: string, steps: readonly Step[]): Promise<void>;
  readonly store: JournalStore;
}

/** The journal's rules over its store: legal transitions only, stamped with both clocks. */
export function createJournal(
  store: JournalStore,
  clocks: { clock: Clock; market: MarketClock },
): Journal {
  const states = new Map<string, IntentState>();
  for (const row of store.openIntents()) states.set(row.key, row.state);

  const stateOf = (key: string): IntentState | undefined =>
    states.get(key) ?? store.entries(key).at(-1)?.state;

  const toEntries = (key: string, from: IntentState | undefined, steps: readonly Step[]) => {
    let state = from;
    return steps.map((step): JournalEntry => {
      if (!isLegalTransition(state, step.state)) {
        throw new Error(`Illegal transition of intent ${key}: ${state ?? 'none'} → ${step.state}.`);
      }
      state = step.state;
      return {
        key,
        state,
        wallTime: clocks.clock.wallNow(),
        marketTime: clocks.market.now(),
        data: JSON.stringify(step.data ?? {}),
      };
    });
  };

  const remember = (key: string, entries: readonly JournalEntry[]): void => {
    const last = entries.at(-1)?.state;
    if (last === undefined) return;
    if (isFinal(last)) states.delete(key);
    else states.set(key, last);
  };

  return {
    store,
    stateOf,
    holds: (key) => states.has(key) || store.intent(key) !== undefined,
    async open(intent, steps) {
      const entries = toEntries(intent.key, undefined, steps);
      const appended = store.append({ intent, entries });
      if (appended !== undefined) await appended;
      remember(intent.key, entries);
    },
    async record(key, steps) {
      const entries = toEntries(key, stateOf(key), steps);
      const appended = store.append({ entries });
      if (appended !== undefined) await appended;
      remember(key, entries);
    },
  };
}
