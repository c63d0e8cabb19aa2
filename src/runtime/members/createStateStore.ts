import { writeOrFail, type JournalStore } from '../../journal/index.ts';
import { openState, type PersistedState, type StateStore } from '../../strategy/index.ts';
import type { PlannedStrategy } from '../BotPlan.ts';

/** An instance's durable state in the journal: the version it belongs to and the state itself, as JSON. */
export function createStateStore(
  store: Pick<JournalStore, 'readState' | 'writeState'>,
  {
    name,
    version,
    former: before,
    strategy,
  }: Pick<PlannedStrategy, 'name' | 'version' | 'former' | 'strategy'>,
  onFatal: (error: unknown) => void,
): StateStore {
  // Each version has its own, so that the former one finds its own again.
  const nameOf = (one: string | undefined): string => (one === undefined ? name : `${name}+${one}`);
  const instance = nameOf(version);
  const read = (from: string): PersistedState | undefined => {
    const text = store.readState(from);
    return text === undefined ? undefined : (JSON.parse(text) as PersistedState);
  };
  return {
    read() {
      const own = read(instance);
      if (own !== undefined || version === undefined || strategy.state === undefined) return own;
      // A promoted version begins with what the former one had, where it can make its own of that.
      const former = read(nameOf(before));
      return openState(strategy.state, former).ok ? former : undefined;
    },
    write({ version, state }) {
      // If a state can't be persisted, the next start would use an older one.
      const text = JSON.stringify({ version, state });
      writeOrFail(() => store.writeState(instance, text), onFatal);
    },
  };
}
