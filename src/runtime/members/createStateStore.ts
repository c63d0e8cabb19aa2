import { writeOrFail, type JournalStore } from '../../journal/index.ts';
import type { PersistedState, StateStore } from '../../strategy/index.ts';

/** An instance's durable state in the journal: the version it belongs to and the state itself, as JSON. */
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
      // If a state can't be persisted, the next start would use an older one.
      const text = JSON.stringify({ version, state });
      writeOrFail(() => store.writeState(instance, text), onFatal);
    },
  };
}
