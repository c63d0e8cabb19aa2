import { existsSync, renameSync, rmSync } from 'node:fs';

/**
 * Renames a journal of SQLite that is not written to `….previous`, in place of the one before. Its log goes with it: after
 * a crash, or while another process reads it, the newest rows are there alone.
 */
export function setJournalAside(path: string): void {
  const aside = `${path}.previous`;
  rmSync(`${path}-shm`, { force: true });
  if (existsSync(path)) {
    for (const ending of ['-wal', '-shm']) rmSync(`${aside}${ending}`, { force: true });
    renameSync(path, aside);
  }
  // By itself, too, if this was interrupted between the two.
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${aside}-wal`);
}
