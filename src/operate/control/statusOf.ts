import { accessSync, constants } from 'node:fs';
import type { KillLevel } from '../../runtime/index.ts';
import {
  isRunning,
  pulse,
  readWhole,
  SILENT_MS,
  silentMsOf,
  type ControlFiles,
  type EndFailure,
} from './controlFiles.ts';

/** `well`: it trades; `degraded`: it runs, but not fully; `down`. */
export const STATES = ['well', 'degraded', 'down'] as const;

export interface BotStatus {
  state: (typeof STATES)[number];
  /** Why it is not well. */
  reasons: string[];
  /** What an operator decided for it, such as a position that it ignores; no reason against it. */
  notes: string[];
  /** Kill level that it has, or starts with; null if it is unknown. */
  level: KillLevel | null;
  /** Id of its process, running or not. */
  pid: number | null;
  /** Its last pulse, epoch milliseconds. */
  time: number | null;
}

const UNKNOWN = 'it has no pulse: it never ran on this host, or never with this journal';
const FORBIDDEN =
  'this user may not read its pulse, and can’t know more: give the command as the user of the bot';

/** Whether it is this user that keeps it from being read; a file that is not there has another error. */
function isForbidden(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

/** The status of a bot on this host, from the pulse that its main loop writes. */
export function statusOf(
  files: ControlFiles,
  { now, isAlive }: { now: number; isAlive(pid: number): boolean },
): BotStatus {
  const last = readWhole(files.pulse, pulse);
  if (last === undefined) {
    const reasons = [isForbidden(files.pulse) ? FORBIDDEN : UNKNOWN];
    return { state: 'down', reasons, notes: [], level: null, pid: null, time: null };
  }
  const { pid, time, level, ended, failure } = last;
  const known = { notes: last.notes ?? [], level, pid, time };
  const latched = level === 'L0' ? [] : [`kill level ${level}`];
  if (!isRunning(last, isAlive)) {
    const why =
      ended === 'in_order'
        ? 'it was stopped cleanly'
        : ended === 'failed'
          ? 'it failed'
          : `its process ${pid} is gone, and it did not stop cleanly`;
    const because = failure === undefined ? [] : [failureLine(failure)];
    return { state: 'down', reasons: [why, ...because, ...latched], ...known };
  }
  const silentMs = silentMsOf(last, now);
  if (silentMs > SILENT_MS) {
    const why = `its main loop has been silent for ${Math.round(silentMs / 1_000)} s`;
    return { state: 'down', reasons: [why, ...latched], ...known };
  }
  // A kill level closes entries too, and is already reported as a reason.
  const closed = last.reasons.map((reason) => `entries are closed: ${reason}`);
  const failed =
    last.failed === undefined ? [] : [`a command could not be carried out: ${last.failed.reason}`];
  const stopping = last.stopping === true ? ['it is stopping'] : [];
  const reasons = [...stopping, ...(last.problems ?? []), ...latched, ...closed, ...failed];
  return { state: reasons.length === 0 ? 'well' : 'degraded', reasons, ...known };
}

/** On one line, as the other reasons are. */
const failureLine = ({ code, message }: EndFailure): string =>
  `${message.replaceAll(/\s*\n\s*/g, '; ')} [${code}]`;

/** Whether a bot ran on this host and its process has ended; one that hangs has not. */
export function hasEnded(files: ControlFiles, isAlive: (pid: number) => boolean): boolean {
  const last = readWhole(files.pulse, pulse);
  return last !== undefined && !isRunning(last, isAlive);
}
