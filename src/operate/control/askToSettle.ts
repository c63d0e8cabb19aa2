import type { Env } from '../../env/index.ts';
import type { Settlement } from '../../runtime/index.ts';
import { awaitAnswer } from './awaitAnswer.ts';
import {
  isRunning,
  pulse,
  readWhole,
  settled,
  settlement,
  writeWhole,
  type ControlFiles,
} from './controlFiles.ts';

/** The response of a running bot to a settlement. */
export type Settling =
  | { kind: 'settled' }
  | { kind: 'refused'; reason: string }
  /** It could not be persisted; nothing has changed. */
  | { kind: 'failed'; reason: string }
  /** No bot runs on this host. */
  | { kind: 'not_running' }
  /** Its main loop or its journal hangs. */
  | { kind: 'silent'; pid: number };

export interface AskOptions {
  env: Env;
  files: ControlFiles;
  /** Idempotency key, in full. */
  key: string;
  asked: Settlement;
  isAlive(pid: number): boolean;
  timeoutMs?: number;
}

/**
 * Sends the outcome of an intent to a running bot, which has its journal's lock, and waits for its
 * response.
 */
export async function askToSettle(options: AskOptions): Promise<Settling> {
  const { env, files, key, asked, timeoutMs } = options;
  const last = readWhole(files.pulse, pulse);
  if (!isRunning(last, options.isAlive)) return { kind: 'not_running' };
  const before = readWhole(files.settlement, settlement)?.time ?? 0;
  const time = Math.max(env.clock.wallNow(), before + 1);
  writeWhole(files.settlement, { key, ...asked, records: [...asked.records], time });
  const look = () => {
    const said = readWhole(files.settled, settled);
    return said?.time === time ? said : undefined;
  };
  const answer = await awaitAnswer(env, look, timeoutMs);
  if (answer === undefined) return { kind: 'silent', pid: last.pid };
  if (answer.refused !== undefined) return { kind: 'refused', reason: answer.refused };
  if (answer.failed !== undefined) return { kind: 'failed', reason: answer.failed };
  return { kind: 'settled' };
}
