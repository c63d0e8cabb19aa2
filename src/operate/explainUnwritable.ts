import { withFullStop } from '../env/index.ts';
import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Tries an output before the work starts, and returns why it can't be written; null if it can. Its folder
 * is created if the parent exists: further up, the path is probably mistyped.
 */
export function explainUnwritable(file: string): string | null {
  const folder = dirname(file);
  try {
    if (!isThere(dirname(folder))) {
      return `there is no folder ${dirname(folder)}.\n  Make it, or name another file.`;
    }
    if (!isThere(folder)) mkdirSync(folder);
    tryFile(file);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === undefined ? message : `the system refuses it (${code})`;
    return `${withFullStop(reason)}\n  Name a file in a folder that can be written.`;
  }
}

/** A new file is created and removed again: permissions alone don't show what a file system refuses. */
function tryFile(file: string): void {
  if (isThere(file)) {
    if (statSync(file).isDirectory()) throw new Error('it is a folder');
    accessSync(file, constants.W_OK);
    return;
  }
  closeSync(openSync(file, 'wx'));
  unlinkSync(file);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
