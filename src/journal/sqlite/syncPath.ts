import { closeSync, fsyncSync, openSync } from 'node:fs';

/** A new name in a folder reaches the disk, where the file system can sync a folder. */
export function syncFolder(path: string): void {
  try {
    syncPath(path);
  } catch {
    // The file stands under its name all the same.
  }
}

/** A file or directory reaches the disk. Windows can't sync a directory, and does not need it. */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
