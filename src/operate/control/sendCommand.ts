import type { Env } from '../../env/index.ts';
import type { KillLevel } from '../../runtime/index.ts';
import { awaitAnswer } from './awaitAnswer.ts';
import {
  isRunning,
  pulse,
  readWhole,
  writeWhole,
  type ControlFiles,
  type Pulse,
} from './controlFiles.ts';

/** What became of an order. */
export type Obedience =
  | {
      kind: 'obeyed';
      pulse: Pulse;
      /** What it could not end, a line each; undefined where the bot has not found that out in time. */
      left: readonly string[] | undefined;
    }
  /** It could not be carried out, or stands only until the process ends. */
  | { kind: 'failed'; pulse: Pulse; reason: string }
  /** No process runs there, and no order was left. */
  | { kind: 'nobody'; last: Pulse | undefined }
  /** The process is there and its main loop is not: a watchdog has to act. */
  | { kind: 'hangs'; last: Pulse };

export interface GiveOptions {
  env: Env;
  files: ControlFiles;
  level: KillLevel;
  reason: string;
  isAlive(pid: number): boolean;
  timeoutMs?: number;
  /** For the bot to find out what has ended, once it has obeyed. */
  confirmMs?: number;
}

const CONFIRM_MS = 15_000;

/** Gives an order to a running bot and waits until it says that it obeyed. */
export async function sendCommand(options: GiveOptions): Promise<Obedience> {
  const { env, files, level, reason } = options;
  const last = readWhole(files.pulse, pulse);
  if (!isRunning(last, options.isAlive)) return { kind: 'nobody', last };
  const time = Math.max(env.clock.wallNow(), last.obeyed + 1);
  writeWhole(files.order, { level, reason, time });
  const look = (): Exclude<Obedience, { kind: 'hangs' | 'nobody' }> | undefined => {
    const now = readWhole(files.pulse, pulse);
    if (now?.failed?.time === time) {
      return { kind: 'failed', pulse: now, reason: now.failed.reason };
    }
    return now !== undefined && now.obeyed >= time
      ? { kind: 'obeyed', pulse: now, left: undefined }
      : undefined;
  };
  const answer = await awaitAnswer(env, look, options.timeoutMs);
  if (answer?.kind !== 'obeyed') return answer ?? { kind: 'hangs', last };
  const ended = await awaitAnswer(
    env,
    () => {
      const said = readWhole(files.pulse, pulse)?.unended;
      return said !== undefined && said.time >= time ? said : undefined;
    },
    options.confirmMs ?? CONFIRM_MS,
  );
  return { ...answer, left: ended?.left };
}
