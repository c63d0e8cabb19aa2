import type { JournalStore } from '../../journal/index.ts';
import { RecentValues } from '../../streams/index.ts';
import { openKeys, type AtWork } from './AtWork.ts';

/** Keys of others that are not asked for again. */
const MOST_ASKED = 4_096;

/**
 * An order may rest, an execution wait and a monitor stand armed for longer than a remote store has keys in its memory:
 * whatever is found open is looked for there once, so that the bot's own is not taken for a stranger's.
 *
 * @returns what resolves when it is done; undefined if nothing has to be looked for
 */
export function createLearning(
  store: Pick<JournalStore, 'holds' | 'learn'>,
): (open: Pick<AtWork, 'orders' | 'executions' | 'monitors'>) => Promise<void> | undefined {
  const asked = new RecentValues<true>(MOST_ASKED);
  return (open) => {
    if (store.learn === undefined) return undefined;
    const keys = openKeys(open).filter((key) => !store.holds(key) && !asked.has(key));
    if (keys.length === 0) return undefined;
    return store.learn(keys).then(() => {
      for (const key of keys) asked.set(key, true);
    });
  };
}
