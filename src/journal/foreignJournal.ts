import { accountParts } from './compareAccounts.ts';
import { isPostgresUrl } from './describeDatabase.ts';
import { JournalFault } from './JournalFault.ts';

export interface ForeignJournal {
  /** The file, or the database's address without its password. */
  place: string;
  /** Whose journal it is. */
  owner: string;
  /** What the bot trades on. */
  account: string;
}

/** Why a bot can't write a journal that is not of its account, and what a journal of its own would not know. */
export function foreignJournal({ place, owner, account }: ForeignJournal): JournalFault {
  const field = isPostgresUrl(place) ? 'journal.account: NAME' : 'journal: FILE';
  const message =
    `The journal ${place} is that of ${owner}, and this bot trades on ${account}${difference(owner, account)}.\n` +
    '  Go on with its wallets (one that is added goes on in the same journal), or give this bot a new journal\n' +
    `  (${field}). A new one begins at L0: it has no kill level, pause, throttle, stage or state of the former one, and\n` +
    '  does not know what that sent. See to it first that nothing of the bot is open on the service.';
  return new JournalFault('foreign', message);
}

function difference(owner: string, account: string): string {
  const [former, present] = [accountParts(owner), accountParts(account)];
  if (former === undefined || present === undefined) return '';
  if (former.service !== present.service)
    return `: link.base_url names ${present.service}, and the journal's service is ${former.service}`;
  return `: strategies[n].wallet names ${present.wallets.join(', ')}, and the journal has ${former.wallets.join(', ')}`;
}
