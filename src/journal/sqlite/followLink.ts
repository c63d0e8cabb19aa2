import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * The file that a journal's path leads to, if it is a symbolic link. SQLite follows one, and has its log beside the
 * real file: so must the lock, the control files and everything else that stands beside a journal, or a second writer
 * is not refused. The file itself may not be there yet.
 *
 * @returns the path as it is given where it is no link, or leads nowhere
 */
export function followLink(path: string): string {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
    if (existsSync(path)) return realpathSync(path);
    // What the link names begins at the real folder, which may be reached by a link itself.
    return followLink(resolve(realpathSync(dirname(path)), readlinkSync(path)));
  } catch {
    // A folder that can't be read, or a circle of links: its opening reports it.
    return path;
  }
}
