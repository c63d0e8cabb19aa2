import type { BotConfig } from '../../config/index.ts';
import type { Bot } from '../../runtime/index.ts';
import { describeFault } from './describeFault.ts';

/** A decision that belongs to no event: its instance, its time, and its place in the plugin. */
export interface OutsideTurn {
  instance: string;
  /** Market time, epoch milliseconds. */
  time: number;
  message: string;
}

/** Collects a bot's decisions outside of turns; the list grows as they come. */
export function outsideTurnOf(bot: Bot, config: BotConfig): readonly OutsideTurn[] {
  const found: OutsideTurn[] = [];
  bot.events$.subscribe((event) => {
    if (event.kind !== 'strategy_fault' || event.fault.kind !== 'outside_turn') return;
    const { instance } = event.fault;
    const file = config.strategies.find(({ name }) => name === instance)?.use ?? instance;
    found.push({ instance, time: bot.instant, message: describeFault(event.fault, file) });
  });
  return found;
}
