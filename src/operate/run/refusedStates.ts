import type { JournalStore } from '../../journal/index.ts';
import { type PlannedStrategy, createStateStore } from '../../runtime/index.ts';
import { openState } from '../../strategy/index.ts';

/**
 * Why the strategies' kept states can't be used, one message each. Asked before anything is sent: a
 * bot that left one of its strategies out would trade as nobody meant it to.
 */
export function refusedStates(
  strategies: readonly PlannedStrategy[],
  store: JournalStore,
): string[] {
  return strategies.flatMap(({ name, strategy }) => {
    if (strategy.state === undefined) return [];
    const kept = createStateStore(store, name, () => {}).read();
    const opened = openState(strategy.state, kept);
    if (opened.ok) return [];
    return [`Strategy ${name} (${strategy.name}): ${opened.reason}\n  ${opened.remedy}`];
  });
}
