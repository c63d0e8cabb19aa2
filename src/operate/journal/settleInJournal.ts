import type { BotConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import { createJournal, type IntentLife } from '../../journal/index.ts';
import { createSettle, type ReadRecord, type Settlement } from '../../runtime/index.ts';
import { openJournalStore } from './openJournalStore.ts';

export interface SettleInJournalOptions {
  config: BotConfig;
  env: Pick<Env, 'clock' | 'timers' | 'log'>;
  life: IntentLife;
  settlement: Settlement;
  /** Asks the service for the records that are named. */
  read: ReadRecord;
}

/**
 * Settles an intent of a bot that does not run, as the journal's only writer: no bot can start on it
 * meanwhile.
 *
 * @returns why it can't be settled; undefined if it was
 * @throws JournalFault `in_use` if a bot runs, here or on another host
 */
export async function settleInJournal(
  options: SettleInJournalOptions,
): Promise<string | undefined> {
  const { config, env, life, settlement, read } = options;
  const store = await openJournalStore({ config, env, startsOver: false, onLost: () => {} });
  try {
    // There is no market data: the market time is the last one of the intent.
    const market = { now: () => life.entries.at(-1)?.marketTime ?? 0 };
    const journal = createJournal(store, { clock: env.clock, market });
    const settle = createSettle({ journal, isRunning: false, read, onEvent: () => {} });
    return await settle(life.intent.key, settlement);
  } finally {
    await store.close();
  }
}
