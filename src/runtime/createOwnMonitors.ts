import type { Intent } from '../intents/index.ts';
import type { JournalStore } from '../journal/index.ts';

/**
 * Monitors that this bot armed, by the ids that the service gave them: unlike an order or an execution,
 * a monitor bears no key of the bot's.
 */
export interface OwnMonitors {
  holds(monitorId: string): boolean;
  /** The service accepted an intent and made this record of it. */
  became(intent: Intent, record: unknown): void;
}

/** What earlier processes armed is read when it is first asked for; most bots have no monitor. */
export function createOwnMonitors(store: JournalStore): OwnMonitors {
  const ids = new Set<string>();
  let isRead = false;

  const take = (record: unknown): void => {
    const id = (record as { monitor_id?: unknown } | null | undefined)?.monitor_id;
    if (typeof id === 'string') ids.add(id);
  };
  const readJournal = (): void => {
    isRead = true;
    for (const { kind, state, key } of store.intents()) {
      if (kind !== 'create_monitor' || state !== 'accepted') continue;
      const last = store.entries(key).at(-1);
      take((JSON.parse(last?.data ?? '{}') as { record?: unknown }).record);
    }
  };

  return {
    holds(monitorId) {
      if (!isRead) readJournal();
      return ids.has(monitorId);
    },
    became(intent, record) {
      if (intent.kind === 'create_monitor') take(record);
    },
  };
}
