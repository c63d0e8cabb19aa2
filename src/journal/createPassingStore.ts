import { isFinal, type IntentState } from './IntentState.ts';
import { createMemoryStore } from './createMemoryStore.ts';
import { JournalFault } from './JournalFault.ts';
import type { IntentRow, JournalStore } from './JournalStore.ts';

type OpenRow = IntentRow & { state: IntentState };

/**
 * The journal of a run whose journal does not outlive it (`journal: memory`): it holds every decision and its
 * state, and refuses what any journal refuses, but retains no text of a step and no intent that is over, since
 * nothing could read them. A backtest of millions of bars makes tens of thousands of intents.
 *
 * A key is derived from its decision, so a decision is identified by its key alone.
 */
export function createPassingStore(): JournalStore {
  /** The row of an intent that is open; the state of one that is over. */
  const intents = new Map<string, OpenRow | IntentState>();
  const { readState, writeState, meta, setMeta, latch, setLatch, latches } = createMemoryStore();

  const rowOf = (key: string): OpenRow | undefined => {
    const known = intents.get(key);
    return typeof known === 'object' ? known : undefined;
  };
  const openRows = (): OpenRow[] =>
    [...intents.values()].filter((known) => typeof known === 'object');

  return {
    keepsTexts: false,
    append({ intent, entries }) {
      if (intent !== undefined && intents.has(intent.key)) {
        throw new JournalFault('duplicate', `The journal holds ${intent.key} already.`);
      }
      for (const { key } of entries) {
        if (key !== intent?.key && rowOf(key) === undefined) {
          throw new Error(`The journal does not hold ${key}, or it is over.`);
        }
      }
      if (intent !== undefined) intents.set(intent.key, { ...intent, state: 'emitted' });
      for (const { key, state } of entries) {
        const row = rowOf(key);
        if (row !== undefined) row.state = state;
        if (isFinal(state)) intents.set(key, state);
      }
    },
    holds: (key) => intents.has(key),
    stateOf(key) {
      const known = intents.get(key);
      return typeof known === 'object' ? known.state : known;
    },
    intent: rowOf,
    entries: () => [],
    openIntents: openRows,
    intents: openRows,
    newestIntents: () => openRows().toReversed(),
    standingIntents: () => [],
    readState,
    writeState,
    meta,
    setMeta,
    latch,
    setLatch,
    latches,
    // Final intents were retired at once.
    compact: () => 0,
    close: () => {},
  };
}
