import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import type { Env } from '../../env/index.ts';
import { awaitAnswer } from './awaitAnswer.ts';

export interface InTurn {
  /** Of the command; a file beside it, for an instant, keeps other writers away. */
  path: string;
  env: Pick<Env, 'clock' | 'timers'>;
  /** Whether nothing is pending there that this command must not replace. */
  isFree(): boolean;
  write(): void;
}

/** A writer that ended while it held the file leaves it. */
const LEFT_MS = 5_000;
const TURN_MS = 20_000;

/**
 * Writes a command once nothing is pending that it must not replace: of two that come at once, none is lost.
 *
 * @returns false if its turn did not come in time, and nothing was written
 * @throws what the file system refuses
 */
export async function writeInTurn(turn: InTurn, timeoutMs = TURN_MS): Promise<boolean> {
  const look = (): true | undefined => (writeNow(turn) ? true : undefined);
  return (await awaitAnswer(turn.env, look, timeoutMs)) === true;
}

/** The same without a wait. @returns whether it was written */
export function writeNow({ path, env, isFree, write }: InTurn): boolean {
  if (!isFree() || !lock(path, env.clock.wallNow())) return false;
  try {
    // Another one may have been written since.
    if (!isFree()) return false;
    write();
    return true;
  } finally {
    rmSync(lockOf(path), { force: true });
  }
}

const lockOf = (path: string): string => `${path}.lock`;

function lock(path: string, now: number): boolean {
  try {
    closeSync(openSync(lockOf(path), 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const since = statSync(lockOf(path), { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (Math.abs(now - since) > LEFT_MS) rmSync(lockOf(path), { force: true });
    return false;
  }
}
