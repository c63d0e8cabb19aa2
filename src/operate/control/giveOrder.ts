import type { Env } from '../../env/index.ts';
import type { KillLevel } from '../../runtime/killLevels.ts';
import { awaitAnswer } from './awaitAnswer.ts';
import { pulse, readWhole, writeWhole, type ControlFiles, type Pulse } from './controlFiles.ts';

/** What became of an order. */
export type Obedience =
  | { kind: 'obeyed'; pulse: Pulse }
  /** It could not be carried out, or stands only until the process ends. */
  | { kind: 'failed'; pulse: Pulse; reason: string }
  /** Nobody runs there; the order waits for nobody, since a start obeys the journal's latch only. */
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
}

/** Gives an order to a running bot and waits until it says that it obeyed. */
export async function giveOrder(options: GiveOptions): Promise<Obedience> {
  const { env, files, level, reason } = options;
  const last = readWhole(files.pulse, pulse);
  if (last === undefined || !options.isAlive(last.pid)) return { kind: 'nobody', last };
  const time = Math.max(env.clock.wallNow(), last.obeyed + 1);
  writeWhole(files.order, { level, reason, time });
  const look = (): Obedience | undefined => {
    const now = readWhole(files.pulse, pulse);
    if (now?.failed?.time === time) {
      return { kind: 'failed', pulse: now, reason: now.failed.reason };
    }
    return now !== undefined && now.obeyed >= time ? { kind: 'obeyed', pulse: now } : undefined;
  };
  return (await awaitAnswer(env, look, options.timeoutMs)) ?? { kind: 'hangs', last };
}
