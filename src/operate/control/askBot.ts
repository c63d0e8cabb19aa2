import type { z } from 'zod';
import type { Env } from '../../env/index.ts';
import { awaitAnswer } from './awaitAnswer.ts';
import {
  isStopping,
  pulse,
  readWhole,
  settled,
  writeWhole,
  type ControlFiles,
  type RotationRequest,
  type SettlementRequest,
  type StrategyCommand,
} from './controlFiles.ts';
import { readRunning, type Liveness } from './readRunning.ts';
import { writeInTurn } from './writeInTurn.ts';

/** The response of a running bot to a request. */
export type BotAnswer =
  /** With what was done, where the bot says so. */
  | { kind: 'done'; text?: string }
  | { kind: 'refused'; reason: string }
  /** It could not be persisted; what that means is the request's to say. */
  | { kind: 'failed'; reason: string }
  /** No bot runs on this host. */
  | { kind: 'not_running' }
  /** It applies its stop policy, and takes no request any more. */
  | { kind: 'stopping' }
  /** Its main loop or its journal hangs. */
  | { kind: 'silent'; pid: number };

type Asked = SettlementRequest | StrategyCommand | RotationRequest;

export interface AskBotOptions<T extends Asked> extends Liveness {
  env: Pick<Env, 'clock' | 'timers'>;
  files: ControlFiles;
  /** Where the request is written, and where the bot answers. */
  request: string;
  response: string;
  schema: z.ZodType<T>;
  asked: Omit<T, 'time'>;
  timeoutMs?: number | undefined;
}

/** A request without an answer is left by a caller that has ended, or was written to an earlier process. */
const LEFT_MS = 12_000;

/** Sends a request to a running bot and waits for its response. */
export async function askBot<T extends Asked>(options: AskBotOptions<T>): Promise<BotAnswer> {
  const { env, files, request, response, asked, timeoutMs } = options;
  const before = await readRunning(files, options);
  if (!before.isRunning) return { kind: 'not_running' };
  let time = 0;
  const write = (): void => {
    const earlier = readWhole(request, options.schema)?.time ?? 0;
    time = Math.max(env.clock.wallNow(), earlier + 1);
    writeWhole(request, { ...asked, time } as T);
  };
  // One that is pending has a caller that waits; one without an answer in time was written to an earlier process.
  const isFree = (): boolean => {
    const earlier = readWhole(request, options.schema)?.time ?? 0;
    const answered = readWhole(response, settled)?.time ?? 0;
    return earlier <= answered || Math.abs(env.clock.wallNow() - earlier) > LEFT_MS;
  };
  const isWritten = await writeInTurn({ path: request, env, isFree, write });
  const silent = (): BotAnswer => {
    const now = readWhole(files.pulse, pulse);
    return now !== undefined && isStopping(now, env.clock.wallNow())
      ? { kind: 'stopping' }
      : { kind: 'silent', pid: before.last.pid };
  };
  if (!isWritten) return silent();
  const look = () => {
    const said = readWhole(response, settled);
    if (said?.time === time) return said;
    return readWhole(files.pulse, pulse)?.ended === undefined ? undefined : 'not_running';
  };
  const answer = await awaitAnswer(env, look, timeoutMs);
  if (answer === undefined) return silent();
  if (answer === 'not_running') return { kind: answer };
  if (answer.refused !== undefined) return { kind: 'refused', reason: answer.refused };
  if (answer.failed !== undefined) return { kind: 'failed', reason: answer.failed };
  return answer.done === undefined ? { kind: 'done' } : { kind: 'done', text: answer.done };
}
