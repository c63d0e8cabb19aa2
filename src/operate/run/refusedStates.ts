import type { JournalStore } from '../../journal/index.ts';
import { type PlannedStrategy, createStateStore } from '../../runtime/index.ts';
import { openState } from '../../strategy/index.ts';

/**
 * Why the strategies' persisted states can't be used, one message each. Checked before anything is sent:
 * a bot without one of its strategies would not trade as intended.
 */
export function refusedStates(
  strategies: readonly PlannedStrategy[],
  store: JournalStore,
): string[] {
  return strategies.flatMap((planned) => {
    const { name, strategy } = planned;
    if (strategy.state === undefined) return [];
    const persisted = createStateStore(store, planned, () => {}).read();
    const opened = openState(strategy.state, persisted);
    if (opened.ok) return [];
    return [`Strategy ${name} (${strategy.name}): ${opened.reason}\n  ${opened.remedy}`];
  });
}
