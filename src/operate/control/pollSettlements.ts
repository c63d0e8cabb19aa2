import type { Cancel, Env } from '../../env/index.ts';
import type { Bot } from '../../runtime/index.ts';
import { settlement, type ControlFiles } from './controlFiles.ts';
import { pollRequests } from './pollRequests.ts';

export interface PollSettlementsOptions {
  bot: Pick<Bot, 'settle'>;
  env: Env;
  files: ControlFiles;
  /** Called once a settlement was recorded, before it is answered. */
  onDone?: () => void;
}

/**
 * Polls for settlements of `trimtab settle`.
 *
 * @returns stops it
 */
export function pollSettlements({ bot, env, files, onDone }: PollSettlementsOptions): Cancel {
  return pollRequests({
    env,
    onDone,
    request: files.settlement,
    response: files.settled,
    schema: settlement,
    command: 'trimtab settle',
    run: ({ key, time: _time, ...decision }) => bot.settle(key, decision),
  });
}
