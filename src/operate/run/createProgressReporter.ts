import { tradedWallets, type Bot, type BotPlan, type ReplayPosition } from '../../runtime/index.ts';
import type { Progress } from '../progress/index.ts';
import { equityOf } from './equityOf.ts';

/** Shows a replay's progress and the bot's figures after each step. */
export function createProgressReporter(
  progress: Progress,
  run: { bot: Bot; plan: BotPlan; startTime: number; stepMs: number },
): (position: ReplayPosition) => void {
  const { bot, plan, startTime, stepMs } = run;
  const wallets = tradedWallets(plan.strategies);
  return ({ time, end_time }) => {
    const { used, limit } = bot.budget();
    progress.update({
      barsDone: Math.round((time - startTime) / stepMs),
      barsTotal: Math.round((end_time - startTime) / stepMs),
      marketTime: time,
      equity: equityOf(bot, plan),
      runningExecutions: wallets.reduce((sum, id) => sum + bot.book(id).runningExecutions(), 0),
      budgetUsed: used,
      budgetLimit: limit,
    });
  };
}
