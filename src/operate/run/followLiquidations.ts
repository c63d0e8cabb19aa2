import type { Log } from '../../env/index.ts';
import type { Bot } from '../../runtime/createBot.ts';
import type { ReportLiquidation } from '../report/index.ts';

/**
 * What the venue takes over for want of margin, told loudly and kept in the order of its coming. To be called
 * once the bot is up: its wallets are followed then, and nothing more is subscribed to.
 */
export function followLiquidations(
  bot: Pick<Bot, 'streams'>,
  wallets: readonly string[],
  log: Log,
): readonly ReportLiquidation[] {
  const seen: ReportLiquidation[] = [];
  for (const wallet of wallets) {
    bot.streams.wallet(wallet).liquidations$.subscribe(({ symbol, time }) => {
      seen.push({ time, wallet, symbol });
      log.error(`${symbol} on ${wallet} was liquidated`, { wallet, symbol });
    });
  }
  return seen;
}
