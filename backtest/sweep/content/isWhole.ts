import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOfFile, LOCK, MANIFEST } from './collectContent.ts';
import { readPack, requireInside } from './packFolder.ts';
import type { SweepFiles } from './SweepContent.ts';

/**
 * Whether a folder has what was unpacked and placed there: a power cut takes what was not on the disk yet, though the folder
 * has its name already. Manifest and lock file are not compared, since they are written anew for the worker.
 */
export async function isWhole(
  folder: string,
  { feeds, packages }: SweepFiles,
  packed: Buffer,
): Promise<boolean> {
  const at = packages === null || packages === '' ? '' : `${packages}/`;
  const rewritten = packages === null ? [] : [`${at}${MANIFEST}`, `${at}${LOCK}`];
  for (const [path, bytes] of readPack(packed)) {
    if (rewritten.includes(path)) continue;
    const found = await readFile(join(folder, path)).catch(() => null);
    if (found === null || !found.equals(bytes)) return false;
  }
  for (const { path, digest } of feeds) {
    const found = await digestOfFile(join(folder, requireInside(path))).catch(() => null);
    if (found !== digest) return false;
  }
  return true;
}
