import type { Env } from '../../env/index.ts';
import { askBot, type BotAnswer } from './askBot.ts';
import { rotationRequest, type ControlFiles, type RotationRequest } from './controlFiles.ts';
import type { Liveness } from './readRunning.ts';

export interface AskToRotateOptions extends Liveness {
  env: Pick<Env, 'clock' | 'timers'>;
  files: ControlFiles;
  asked: Omit<RotationRequest, 'time'>;
}

/** The bot asks the service with the new key first, which may take as long as its requests may. */
const TIMEOUT_MS = 90_000;

/** Has a running bot read its API key again. `failed`: it signs with the new one, and the journal lacks it. */
export function askToRotate({ files, ...rest }: AskToRotateOptions): Promise<BotAnswer> {
  const at = { request: files.rotation, response: files.rotationDone, schema: rotationRequest };
  return askBot({ ...rest, ...at, files, timeoutMs: TIMEOUT_MS });
}
