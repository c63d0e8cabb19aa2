import type { JournalStore } from '../../src/journal/index.ts';
import type { Plant } from './Plant.ts';

/** A bot that keeps the key of every intent for as long as it lives: what a soak must notice. */
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
        // Asked for as a bot would ask, so that the keys are not collected.
        holds: (key) => keys.has(key) || store.holds(key),
      };
    },
  };
}
