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
 * Tries an output before the work that it is for, and says why it can't be written; null where it can.
 * Its folder is made where the folder above is there: further up, a path is probably mistyped.
 */
export function whyUnwritable(file: string): string | null {
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
    return `${reason}.\n  Name a file in a folder that can be written.`;
  }
}

/** A new file is made and taken away again: rights alone don't tell what a file system refuses. */
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
