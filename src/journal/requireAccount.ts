import { goesOnIn } from './compareAccounts.ts';
import { foreignJournal } from './foreignJournal.ts';
import type { JournalStore } from './JournalStore.ts';

/** Name of the fact that holds the journal's account. */
export const ACCOUNT = 'account';

export interface RequiredAccount {
  /** Names service and wallets, such as `api.example/main`. */
  account: string;
  /** The journal's file or database, for the refusal. */
  place: string;
  /** Whether the journal of some of its wallets becomes that of all; if not, it is used as it is. */
  grows: boolean;
  /** An operator named this journal, perhaps by the name that it began with: whose it is by now stays. */
  isNamed?: boolean;
}

/**
 * Assigns a new journal to the account, and one of some of its wallets as well: what latched and what is unknown there
 * goes on. The journal of another account is refused: its open intents would be queried where they never were, and
 * taken for absent.
 *
 * @returns whose journal it was until now; undefined for a new one
 * @throws JournalFault `foreign`
 */
export async function requireAccount(
  store: JournalStore,
  { account, place, grows, isNamed }: RequiredAccount,
): Promise<string | undefined> {
  const owner = store.meta(ACCOUNT);
  if (owner !== undefined) {
    if (isNamed === true || owner === account) return owner;
    if (!goesOnIn(owner, account)) throw foreignJournal({ place, owner, account });
    if (!grows) return owner;
  }
  await store.setMeta(ACCOUNT, account);
  return owner;
}
