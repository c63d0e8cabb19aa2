import type { BotConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import { isJournalFree, type Liveness } from '../../operate/control/index.ts';
import { isAlive } from './isAlive.ts';

/** How a command finds out whether the process of a bot's pulse is still that bot. */
export const livenessOf = (
  config: BotConfig,
  env: Pick<Env, 'clock' | 'timers' | 'log'>,
): Liveness => ({ isAlive, isJournalFree: () => isJournalFree(config, env) });
