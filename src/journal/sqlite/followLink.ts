import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * The file that a journal's path leads to, if it is a symbolic link. SQLite follows one, and has its log beside the
 * real file: so must the lock, the control files and everything else that stands beside a journal, or a second writer
 * is not refused. The file itself may not be there yet.
 *
 * @returns the path as it is given where it is no link, or leads nowhere
 */
export function followLink(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  try {
    return realpathSync(path);
  } catch (error) {
    // A circle of links leads nowhere; its opening reports it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return path;
    return followLink(resolve(dirname(path), readlinkSync(path)));
  }
}
