import type { JournalStore } from '../../src/journal/index.ts';
import type { Plant } from './Plant.ts';

/** A bot that leaks the key of every intent: a soak must detect it. */
export function createLeak(): Plant {
  return {
    name: 'keys are never forgotten',
    store(store): JournalStore {
      const keys = new Set<string>();
      return {
        ...store,
        append(append) {
          if (append.intent !== undefined) keys.add(append.intent.key);
          return store.append(append);
        },
        // Registered as a bot would, so that the keys are not garbage-collected.
        holds: (key) => keys.has(key) || store.holds(key),
      };
    },
  };
}
