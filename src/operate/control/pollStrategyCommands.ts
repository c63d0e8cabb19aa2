import type { Cancel, Env } from '../../env/index.ts';
import type { Bot } from '../../runtime/index.ts';
import { strategyCommand, type ControlFiles } from './controlFiles.ts';
import { nextStage } from './nextStage.ts';
import { pollRequests } from './pollRequests.ts';

/** What a resume did where there was nothing to do. */
export const NOT_PAUSED = 'not_paused';

export interface PollStrategyCommandsOptions {
  bot: Pick<Bot, 'pauseStrategy' | 'resumeStrategy' | 'paused' | 'promote' | 'stageOf'>;
  env: Env;
  files: ControlFiles;
  /** Names of the bot's strategies. */
  instances: readonly string[];
  /** Called once a command was carried out, before it is answered. */
  onDone?: () => void;
}

/**
 * Polls for commands of `trimtab pause`, `trimtab resume` and `trimtab promote`.
 *
 * @returns stops it
 */
export function pollStrategyCommands(options: PollStrategyCommandsOptions): Cancel {
  const { bot, env, files, instances, onDone } = options;
  return pollRequests({
    env,
    onDone,
    request: files.strategy,
    response: files.strategyDone,
    schema: strategyCommand,
    command: 'trimtab pause',
    async run({ instance, do: what, reason, move = 'next', hand_over: handOver = [] }) {
      if (!instances.includes(instance))
        return `it has no strategy ${instance}; its strategies are ${instances.join(', ')}`;
      if (what === 'promote') {
        const from = bot.stageOf(instance);
        const to = nextStage(from, move);
        if (to === undefined) return `it is at the stage ${from}, the last one that way`;
        return (await bot.promote(instance, { to, reason, handOver })) ?? { done: to };
      }
      if (what === 'pause') await bot.pauseStrategy(instance, reason);
      else if (bot.paused(instance) === undefined) return { done: NOT_PAUSED };
      else await bot.resumeStrategy(instance, reason);
      return undefined;
    },
  });
}
