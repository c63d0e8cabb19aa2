import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. One after the other: Node's own recursion never returns where the system denies
 * a folder that is not there, as below /proc.
 *
 * @throws Error with the remedy and the code ENOTDIR where a file has the name of one
 */
export function makeFolders(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found !== undefined) {
    const error = new Error(`${folder} is a file, and no folder.\n  Name another path.`);
    throw Object.assign(error, { code: 'ENOTDIR' });
  }
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
