import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SavedState } from './readState.ts';
import { OWNER_ONLY } from './StateLog.ts';

/** A snapshot beside the state file, complete and durable. */
export interface PreparedSnapshot {
  bytes: number;
  /** Replaces the snapshot before it atomically: the state file is complete at any time. */
  commit(): void;
}

export function prepareSnapshot(path: string, state: SavedState): PreparedSnapshot {
  const aside = `${path}.new`;
  const bytes = Buffer.from(JSON.stringify(state), 'utf8');
  const file = openSync(aside, 'w', OWNER_ONLY);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return { bytes: bytes.length, commit: () => renameSync(aside, path) };
}

/** Makes new names in the file's directory durable, if the system can. */
export function syncDirectoryOf(path: string): void {
  // Windows can't open directories, and some network file systems can't sync them.
  if (process.platform === 'win32') return;
  const directory = openSync(dirname(path), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
