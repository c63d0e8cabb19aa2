import type { Env } from '../../env/index.ts';
import { askBot, type BotAnswer } from './askBot.ts';
import { strategyCommand, type ControlFiles, type StrategyCommand } from './controlFiles.ts';

export interface AskStrategyOptions {
  env: Pick<Env, 'clock' | 'timers'>;
  files: ControlFiles;
  asked: Omit<StrategyCommand, 'time'>;
  isAlive(pid: number): boolean;
  timeoutMs?: number;
}

/** Has a running bot pause or resume one of its strategies. `failed`: it is in force, and not durable. */
export function askStrategy({ files, ...rest }: AskStrategyOptions): Promise<BotAnswer> {
  const at = { request: files.strategy, response: files.strategyDone, schema: strategyCommand };
  return askBot({ ...rest, ...at, files });
}
