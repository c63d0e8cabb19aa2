import type { Env } from '../../env/index.ts';
import { askBot, type BotAnswer } from './askBot.ts';
import { strategyCommand, type ControlFiles, type StrategyCommand } from './controlFiles.ts';
import type { Liveness } from './readRunning.ts';

export interface AskStrategyOptions extends Liveness {
  env: Pick<Env, 'clock' | 'timers'>;
  files: ControlFiles;
  asked: Omit<StrategyCommand, 'time'>;
  timeoutMs?: number;
}

/** Has a running bot pause or resume one of its strategies. `failed`: it is in force, and not durable. */
export function askStrategy({ files, ...rest }: AskStrategyOptions): Promise<BotAnswer> {
  const at = { request: files.strategy, response: files.strategyDone, schema: strategyCommand };
  return askBot({ ...rest, ...at, files });
}
