import { isFinal, type IntentState } from './IntentState.ts';
import { JournalFault } from './JournalFault.ts';
import type { IntentRow, JournalEntry, JournalStore, Latch } from './JournalStore.ts';
import { latchesByName } from './latchesByName.ts';
import { standingOf } from './staysWhole.ts';

const COMPACT_LIMIT = 1_000;

/** A journal that lives as long as its process: for backtests and tests, never for money. */
export function createMemoryStore(): JournalStore {
  const rows = new Map<string, IntentRow & { state: IntentState }>();
  const decisions = new Set<string>();
  const steps = new Map<string, JournalEntry[]>();
  const retired = new Map<string, IntentState>();
  const states = new Map<string, string>();
  const facts = new Map<string, string>();
  const latches = new Map<string, Latch>();
  const decisionOf = (row: IntentRow): string => `${row.decisionKey}/${row.generation}`;

  const check = ({ intent, entries }: Parameters<JournalStore['append']>[0]): void => {
    if (intent !== undefined) {
      const held = rows.has(intent.key) || retired.has(intent.key);
      if (held || decisions.has(decisionOf(intent))) {
        throw new JournalFault('duplicate', `The journal holds ${intent.key} already.`);
      }
    }
    for (const { key } of entries) {
      if (key !== intent?.key && !rows.has(key)) {
        throw new Error(`The journal does not hold ${key}.`);
      }
    }
  };

  return {
    append(append) {
      check(append);
      const { intent, entries } = append;
      if (intent !== undefined) {
        decisions.add(decisionOf(intent));
        rows.set(intent.key, { ...intent, state: 'emitted' });
        steps.set(intent.key, []);
      }
      for (const entry of entries) {
        steps.get(entry.key)!.push(entry);
        rows.get(entry.key)!.state = entry.state;
      }
    },
    holds: (key) => rows.has(key) || retired.has(key),
    stateOf: (key) => rows.get(key)?.state ?? retired.get(key),
    intent: (key) => rows.get(key),
    entries: (key) => [...(steps.get(key) ?? [])],
    openIntents: () => [...rows.values()].filter((row) => !isFinal(row.state)),
    intents: () => [...rows.values()],
    newestIntents: () => [...rows.values()].toReversed(),
    standingIntents: () => standingOf([...rows.values()]).toReversed(),
    readState: (instance) => states.get(instance),
    writeState: (instance, state) => void states.set(instance, state),
    meta: (key) => facts.get(key),
    setMeta: (key, value) => void facts.set(key, value),
    latch: (name) => latches.get(name),
    setLatch: (name, { value, reason, time }) => void latches.set(name, { value, reason, time }),
    latches: () => latchesByName(latches),
    compact({ olderThan, limit = COMPACT_LIMIT }) {
      const standing = new Set(standingOf([...rows.values()]));
      const old = [...rows.values()].filter(
        (row) =>
          isFinal(row.state) &&
          !standing.has(row) &&
          steps.get(row.key)!.at(-1)!.wallTime < olderThan,
      );
      for (const { key, state } of old.slice(0, limit)) {
        retired.set(key, state);
        rows.delete(key);
        steps.delete(key);
      }
      return Math.min(old.length, limit);
    },
    close: () => {},
  };
}
