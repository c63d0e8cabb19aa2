import {
  openState,
  type PersistedState,
  type StateStore,
  type Strategy,
} from '../strategy/index.ts';

export interface TestState {
  /** Goes through JSON, as a journal does: what JSON can't hold is lost here as well. */
  store: StateStore;
  /** What a plugin reads from it now; undefined if it declares no state. */
  read(plugin: Strategy): unknown;
}

export function createTestState(initial: PersistedState | undefined): TestState {
  let text = initial === undefined ? undefined : JSON.stringify(initial);
  const persisted = (): PersistedState | undefined =>
    text === undefined ? undefined : (JSON.parse(text) as PersistedState);
  return {
    store: {
      read: persisted,
      write: ({ version, state }) => {
        text = JSON.stringify({ version, state });
      },
    },
    read({ state }) {
      if (state === undefined) return undefined;
      const opened = openState(state, persisted());
      return opened.ok ? opened.value : persisted()?.state;
    },
  };
}
