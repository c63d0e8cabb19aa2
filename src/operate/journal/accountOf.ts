import type { BotConfig } from '../../config/index.ts';

/** Whose journal a configuration writes: the service and the wallets that it trades on. */
export function accountOf({ journal, link, name, strategies }: BotConfig): string {
  if (journal.account !== undefined) return journal.account;
  if (link.kind === 'paper') return `paper/${name}`;
  const wallets = [...new Set(strategies.map(({ wallet }) => wallet))].sort();
  return `${new URL(link.baseUrl).host}/${wallets.join('+')}`;
}
