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

/** The outcome of a command. */
export type Obedience =
  | {
      kind: 'obeyed';
      pulse: Pulse;
      /** What it could not end, a line each; undefined if the bot could not determine that in time. */
      left: readonly string[] | undefined;
    }
  /** It could not be carried out, or lasts only until the process ends. */
  | { kind: 'failed'; pulse: Pulse; reason: string }
  /** No process runs there, and no command was left. */
  | { kind: 'not_running'; last: Pulse | undefined }
  /** The process runs but its main loop hangs: a watchdog has to act. */
  | { kind: 'hangs'; last: Pulse };

export interface GiveOptions {
  env: Env;
  files: ControlFiles;
  level: KillLevel;
  reason: string;
  isAlive(pid: number): boolean;
  timeoutMs?: number;
  /** Time for the bot to find out what has ended, after it carried out the command. */
  confirmMs?: number;
}

const CONFIRM_MS = 15_000;

/** Sends a command to a running bot and waits until the bot reports its outcome. */
export async function sendCommand(options: GiveOptions): Promise<Obedience> {
  const { env, files, level, reason } = options;
  const last = readWhole(files.pulse, pulse);
  if (!isRunning(last, options.isAlive)) return { kind: 'not_running', last };
  const time = Math.max(env.clock.wallNow(), last.obeyed + 1);
  writeWhole(files.order, { level, reason, time });
  const look = (): Exclude<Obedience, { kind: 'hangs' | 'not_running' }> | undefined => {
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
