import { OpenMap, type Clock, type MarketClock } from '../env/index.ts';
import { isFinal, isLegalTransition, type IntentState } from './IntentState.ts';
import type { IntentRow, JournalAppend, JournalEntry, JournalStore } from './JournalStore.ts';

/** A step to record: the state reached and its data. Never a secret. */
export interface Step {
  state: IntentState;
  data?: Readonly<Record<string, unknown>>;
}

export interface Journal {
  /** True when the decision is in the journal already, in whatever state. */
  holds(key: string): boolean;
  stateOf(key: string): IntentState | undefined;
  /**
   * Records a new intent and its first steps in one durable append: done when it returns, or when its
   * promise resolves. Throws, or rejects, when nothing of it was written.
   */
  open(intent: IntentRow, steps: readonly Step[]): void | Promise<void>;
  /** Records further steps of a known intent in one durable append; as {@link Journal.open}. */
  record(key: string, steps: readonly Step[]): void | Promise<void>;
  /** Whether the data of a step can ever be read; otherwise no text is built for it. */
  readonly keepsTexts: boolean;
  readonly store: JournalStore;
}

/** The journal's rules over its store: legal transitions only, stamped with both clocks. */
export function createJournal(
  store: JournalStore,
  clocks: { clock: Clock; market: Pick<MarketClock, 'now'> },
): Journal {
  /** Of the intents that are not over. */
  const states = new OpenMap<IntentState>();
  const keepsTexts = store.keepsTexts !== false;
  for (const row of store.openIntents()) states.set(row.key, row.state);

  const stateOf = (key: string): IntentState | undefined => states.get(key) ?? store.stateOf(key);

  const toEntries = (key: string, from: IntentState | undefined, steps: readonly Step[]) => {
    let state = from;
    const entries: JournalEntry[] = [];
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at]!;
      if (!isLegalTransition(state, step.state)) {
        throw new Error(`Illegal transition of intent ${key}: ${state ?? 'none'} → ${step.state}.`);
      }
      state = step.state;
      entries.push({
        key,
        state,
        wallTime: clocks.clock.wallNow(),
        marketTime: clocks.market.now(),
        data: keepsTexts ? JSON.stringify(step.data ?? {}) : '',
      });
    }
    return entries;
  };

  const remember = (key: string, state: IntentState | undefined): void => {
    if (state === undefined || isFinal(state)) states.delete(key);
    else states.set(key, state);
  };

  /**
   * What is in flight to a remote store counts at once: the next step must follow from it, and the same
   * decision must be recognized. The store preserves the order, and its failure ends the bot.
   */
  const append = (
    key: string,
    from: IntentState | undefined,
    appended: JournalAppend,
  ): void | Promise<void> => {
    const written = store.append(appended);
    remember(key, appended.entries.at(-1)?.state ?? from);
    return written?.catch((error: unknown) => {
      remember(key, from);
      throw error;
    });
  };

  return {
    store,
    stateOf,
    holds: (key) => states.has(key) || store.holds(key),
    keepsTexts,
    open(intent, steps) {
      const entries = toEntries(intent.key, undefined, steps);
      return append(intent.key, undefined, withWait({ intent, entries }));
    },
    record(key, steps) {
      const from = stateOf(key);
      return append(key, from, withWait({ entries: toEntries(key, from, steps) }));
    },
  };
}

/**
 * Thousands of decisions may be refused in one turn, after an outage of hours or where the budget lags behind: exits must
 * not wait for a sync of each.
 */
function withWait(append: JournalAppend): JournalAppend {
  const state = append.entries.at(-1)?.state;
  return state === 'denied' || state === 'expired' ? { ...append, mayWait: true } : append;
}
