import { JournalFault } from './JournalFault.ts';
import type { JournalStore } from './JournalStore.ts';

/** Name of the fact that holds the journal's account. */
export const ACCOUNT = 'account';

/**
 * Assigns a new journal to the account, and refuses the journal of another one: its open intents would be
 * queried where they never were, and taken for absent.
 *
 * @param account names service and wallets, such as `api.example/main`
 * @throws JournalFault `foreign`
 */
export async function requireAccount(store: JournalStore, account: string): Promise<void> {
  const owner = store.meta(ACCOUNT);
  if (owner === undefined) {
    await store.setMeta(ACCOUNT, account);
  } else if (owner !== account) {
    throw new JournalFault(
      'foreign',
      `This journal belongs to ${owner}, and this bot trades on ${account}.\n  Give each account a journal of its own.`,
    );
  }
}
