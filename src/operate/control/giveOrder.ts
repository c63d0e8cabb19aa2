import { pause, type Env } from '../../env/index.ts';
import type { KillLevel } from '../../runtime/killLevels.ts';
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

const POLL_MS = 100;
const TIMEOUT_MS = 10_000;

/** Gives an order to a running bot and waits until it says that it obeyed. */
export async function giveOrder(options: GiveOptions): Promise<Obedience> {
  const { env, files, level, reason } = options;
  const last = readWhole(files.pulse, pulse);
  if (last === undefined || !options.isAlive(last.pid)) return { kind: 'nobody', last };
  const time = Math.max(env.clock.wallNow(), last.obeyed + 1);
  writeWhole(files.order, { level, reason, time });
  const end = env.clock.monotonicNow() + (options.timeoutMs ?? TIMEOUT_MS);
  while (env.clock.monotonicNow() < end) {
    const now = readWhole(files.pulse, pulse);
    if (now?.failed?.time === time) {
      return { kind: 'failed', pulse: now, reason: now.failed.reason };
    }
    if (now !== undefined && now.obeyed >= time) return { kind: 'obeyed', pulse: now };
    await pause(env.timers, POLL_MS);
  }
  return { kind: 'hangs', last };
}
