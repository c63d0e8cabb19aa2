import type { Env } from '../../env/index.ts';
import {
  isRunning,
  pulse,
  readWhole,
  SILENT_MS,
  silentMsOf,
  type ControlFiles,
  type Pulse,
} from './controlFiles.ts';

/** How a caller finds out whether the process of a pulse is still the bot. */
export interface Liveness {
  isAlive(pid: number): boolean;
  /**
   * Whether nobody writes the bot's journal. Asked where the pulse is old: a process that is gone may have left its id
   * to another one, and what hangs keeps its journal. Default: a process of that id is the bot.
   */
  isJournalFree?(): Promise<boolean>;
}

/** The last pulse, and whether its bot runs. */
export async function readRunning(
  files: Pick<ControlFiles, 'pulse'>,
  { env, isAlive, isJournalFree }: Liveness & { env: Pick<Env, 'clock'> },
): Promise<{ isRunning: true; last: Pulse } | { isRunning: false; last: Pulse | undefined }> {
  const last = readWhole(files.pulse, pulse);
  if (!isRunning(last, isAlive)) return { isRunning: false, last };
  const isSilent = silentMsOf(last, env.clock.wallNow()) > SILENT_MS;
  if (isSilent && (await isJournalFree?.()) === true) return { isRunning: false, last };
  return { isRunning: true, last };
}
