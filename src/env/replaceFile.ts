import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a small file as a whole: whoever reads it sees the former text or this one, and a disk without room leaves the
 * former. Its owner alone may read it.
 *
 * @throws the system's error, with nothing left beside the file
 */
export function replaceFile(path: string, text: string): void {
  const next = `${path}.new`;
  try {
    writeFileSync(next, text, { mode: 0o600 });
    renameSync(next, path);
  } catch (error) {
    removeIfThere(next);
    throw error;
  }
}

/** What can't be removed is not worth an error beside the one that is being reported. */
function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is written over by the next one.
  }
}
