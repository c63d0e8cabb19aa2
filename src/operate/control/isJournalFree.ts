import { existsSync } from 'node:fs';
import type { BotConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import { openJournalStore } from '../journal/openJournalStore.ts';

/** Whether a bot has a journal that nobody writes; false where that can't be found out. */
export async function isJournalFree(
  config: BotConfig,
  env: Pick<Env, 'clock' | 'timers' | 'log'>,
): Promise<boolean> {
  const { path, url } = config.journal;
  // Opening it would make one.
  if (url === undefined && !existsSync(path)) return false;
  try {
    const store = await openJournalStore({ config, env, startsOver: false, onLost: () => {} });
    await store.close();
    return true;
  } catch {
    return false;
  }
}
