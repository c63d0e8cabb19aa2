import type { BotConfig } from '../../config/index.ts';
import { tradedWallets } from '../../runtime/index.ts';

const REHEARSAL = 'paper/';

/** Whether an account belongs to an embedded paper service, which does not persist it. */
export function isRehearsal(account: string): boolean {
  return account.startsWith(REHEARSAL);
}

/** The account whose journal a configuration writes: its service and wallets. */
export function accountOf({ journal, link, name, strategies }: BotConfig): string {
  if (journal.account !== undefined) return journal.account;
  if (link.kind === 'paper') return `${REHEARSAL}${name}`;
  const wallets = tradedWallets(strategies).sort();
  return `${new URL(link.baseUrl).host}/${wallets.join('+')}`;
}
