import type { BotConfig } from '../../config/index.ts';
import type { Bot } from '../../runtime/index.ts';
import { describeFault } from './describeFault.ts';

/** A decision that belongs to no event: whose, when, and where in the plugin it comes from. */
export interface OutsideTurn {
  instance: string;
  /** Market time, epoch milliseconds. */
  time: number;
  message: string;
}

/** Follows a bot's decisions outside of turns; the list grows as they come. */
export function outsideTurnOf(bot: Bot, config: BotConfig): readonly OutsideTurn[] {
  const found: OutsideTurn[] = [];
  bot.events$.subscribe((event) => {
    if (event.kind !== 'strategy_fault' || event.fault.kind !== 'outside_turn') return;
    const { instance } = event.fault;
    const file = config.strategies.find(({ name }) => name === instance)?.use ?? instance;
    found.push({ instance, time: bot.moment, message: describeFault(event.fault, file) });
  });
  return found;
}
