import type { BotConfig } from '../../config/index.ts';
import { tradedWallets } from '../../runtime/index.ts';

const REHEARSAL = 'paper/';

/** Whether an account is that of an embedded paper service, which forgets it. */
export function isRehearsal(account: string): boolean {
  return account.startsWith(REHEARSAL);
}

/** Whose journal a configuration writes: the service and the wallets that it trades on. */
export function accountOf({ journal, link, name, strategies }: BotConfig): string {
  if (journal.account !== undefined) return journal.account;
  if (link.kind === 'paper') return `${REHEARSAL}${name}`;
  const wallets = tradedWallets(strategies).sort();
  return `${new URL(link.baseUrl).host}/${wallets.join('+')}`;
}
