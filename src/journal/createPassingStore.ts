import { isFinal, type IntentState } from './IntentState.ts';
import { createMemoryStore } from './createMemoryStore.ts';
import { JournalFault } from './JournalFault.ts';
import type { IntentRow, JournalStore } from './JournalStore.ts';

/**
 * The journal of a run whose journal does not outlive it (`journal: memory`): it holds every decision and its
 * state, and refuses what any journal refuses, but retains no text of a step and no intent that is over, since
 * nothing could read them. A backtest of millions of bars makes tens of thousands of intents.
 *
 * A key is derived from its decision, so a decision is identified by its key alone.
 */
export function createPassingStore(): JournalStore {
  const open = new Map<string, IntentRow & { state: IntentState }>();
  const over = new Map<string, IntentState>();
  const { readState, writeState, meta, setMeta, latch, setLatch, latches } = createMemoryStore();

  return {
    keepsTexts: false,
    append({ intent, entries }) {
      if (intent !== undefined && (open.has(intent.key) || over.has(intent.key))) {
        throw new JournalFault('duplicate', `The journal holds ${intent.key} already.`);
      }
      for (const { key } of entries) {
        if (key !== intent?.key && !open.has(key)) {
          throw new Error(`The journal does not hold ${key}, or it is over.`);
        }
      }
      if (intent !== undefined) open.set(intent.key, { ...intent, state: 'emitted' });
      for (const { key, state } of entries) {
        const row = open.get(key);
        if (row !== undefined) row.state = state;
        if (!isFinal(state)) continue;
        over.set(key, state);
        open.delete(key);
      }
    },
    holds: (key) => open.has(key) || over.has(key),
    stateOf: (key) => open.get(key)?.state ?? over.get(key),
    intent: (key) => open.get(key),
    entries: () => [],
    openIntents: () => [...open.values()],
    intents: () => [...open.values()],
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
