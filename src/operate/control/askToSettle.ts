import type { Env } from '../../env/index.ts';
import type { Settlement } from '../../runtime/index.ts';
import { askBot, type BotAnswer } from './askBot.ts';
import { settlement, type ControlFiles } from './controlFiles.ts';
import type { Liveness } from './readRunning.ts';

const CHECK_MS = 60_000;

export interface AskOptions extends Liveness {
  env: Env;
  files: ControlFiles;
  /** Idempotency key, in full. */
  key: string;
  asked: Settlement;
  timeoutMs?: number;
}

/**
 * Sends the outcome of an intent to a running bot, which has its journal's lock, and waits for its
 * response. `failed`: nothing has changed.
 */
export function askToSettle({ files, key, asked, ...rest }: AskOptions): Promise<BotAnswer> {
  return askBot({
    ...rest,
    files,
    request: files.settlement,
    response: files.settled,
    schema: settlement,
    // The bot asks the service for each record first, which may take as long as its requests may.
    ...(asked.records.length === 0 ? {} : { timeoutMs: CHECK_MS }),
    asked: { key, ...asked, records: [...asked.records] },
  });
}
