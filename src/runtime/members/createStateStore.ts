import { writeOrFail, type JournalStore } from '../../journal/index.ts';
import type { PersistedState, StateStore } from '../../strategy/index.ts';

/** An instance's durable state in the journal: the version that it is of, and itself, as JSON. */
export function createStateStore(
  store: Pick<JournalStore, 'readState' | 'writeState'>,
  instance: string,
  onFatal: (error: unknown) => void,
): StateStore {
  return {
    read() {
      const text = store.readState(instance);
      return text === undefined ? undefined : (JSON.parse(text) as PersistedState);
    },
    write({ version, state }) {
      // A state that can't be kept would be an older one after the next start.
      const text = JSON.stringify({ version, state });
      writeOrFail(() => store.writeState(instance, text), onFatal);
    },
  };
}
