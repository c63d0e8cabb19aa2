/**
 * How an account stands to the one whose journal it is to write: `same`; `grown` by wallets of the same service;
 * `overlaps` where it trades some of the same wallets, and not all; `apart` where nothing is common.
 */
export type AccountStanding = 'same' | 'grown' | 'overlaps' | 'apart';

/** Wallets of an account, `api.example/main+sub`; undefined for a name that an operator gave. */
export interface AccountParts {
  service: string;
  wallets: readonly string[];
}

/** An account is written as its service, a slash and its wallets, joined with `+`. */
export function accountParts(account: string): AccountParts | undefined {
  const slash = account.indexOf('/');
  if (slash <= 0) return undefined;
  return { service: account.slice(0, slash), wallets: account.slice(slash + 1).split('+') };
}

/** Whether an account goes on in a journal: it has all of its wallets. */
export function goesOnIn(owner: string, account: string): boolean {
  const standing = compareAccounts(owner, account);
  return standing === 'same' || standing === 'grown';
}

export function compareAccounts(owner: string, account: string): AccountStanding {
  if (owner === account) return 'same';
  const [former, present] = [accountParts(owner), accountParts(account)];
  if (former === undefined || present === undefined || former.service !== present.service)
    return 'apart';
  const common = former.wallets.filter((wallet) => present.wallets.includes(wallet));
  if (common.length === 0) return 'apart';
  return common.length === former.wallets.length ? 'grown' : 'overlaps';
}
