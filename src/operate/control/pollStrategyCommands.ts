import type { Cancel, Env } from '../../env/index.ts';
import type { Bot } from '../../runtime/index.ts';
import { strategyCommand, type ControlFiles } from './controlFiles.ts';
import { pollRequests } from './pollRequests.ts';

export interface ObeyStrategyCommandsOptions {
  bot: Pick<Bot, 'pauseStrategy' | 'resumeStrategy'>;
  env: Env;
  files: ControlFiles;
  /** Names of the bot's strategies. */
  instances: readonly string[];
}

/**
 * Polls for commands of `trimtab pause` and `trimtab resume`.
 *
 * @returns stops it
 */
export function pollStrategyCommands(options: ObeyStrategyCommandsOptions): Cancel {
  const { bot, env, files, instances } = options;
  return pollRequests({
    env,
    request: files.strategy,
    response: files.strategyDone,
    schema: strategyCommand,
    command: 'trimtab pause',
    async run({ instance, do: what, reason }) {
      if (!instances.includes(instance))
        return `it has no strategy ${instance}; its strategies are ${instances.join(', ')}`;
      if (what === 'pause') await bot.pauseStrategy(instance, reason);
      else await bot.resumeStrategy(instance, reason);
      return undefined;
    },
  });
}
