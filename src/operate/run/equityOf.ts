import { walletsOf } from '../../config/index.ts';
import type { PaperSettings } from '../../paper/server/PaperSettings.ts';
import { tradedWallets, type Bot, type BotPlan } from '../../runtime/index.ts';

/** Equity of the wallets that the strategies trade on, quote units. */
export function equityOf(bot: Bot, plan: BotPlan): number {
  return tradedWallets(plan.strategies).reduce(
    (sum, wallet) => sum + (bot.book(wallet).account()?.equity ?? 0),
    0,
  );
}

/** Cash of the wallets that the strategies trade on, before anything happened. */
export function startEquityOf(paper: PaperSettings, plan: BotPlan): number {
  const cash = [paper.balance, ...paper.connections.map(({ balance }) => balance)];
  const traded = tradedWallets(plan.strategies);
  return walletsOf(paper).reduce(
    (sum, wallet, at) => sum + (traded.includes(wallet) ? cash[at]! : 0),
    0,
  );
}
