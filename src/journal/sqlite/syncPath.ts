import { closeSync, fsyncSync, openSync } from 'node:fs';

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
