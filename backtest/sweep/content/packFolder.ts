import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { FinalRefusal } from '../FinalRefusal.ts';

const FORMAT = 'trimtab-pack 1';
/** Code, never data: more is a mistake, or an attempt to fill a worker's memory. */
export const MOST_CODE_BYTES = 64 * 2 ** 20;

interface Pack {
  format: string;
  /** Contents in base64, by path. */
  files: Record<string, string>;
}

/** Files in one compressed object; the same files give the same bytes. */
export async function packFolder(folder: string, paths: readonly string[]): Promise<Buffer> {
  const files: Record<string, string> = {};
  for (const path of paths.toSorted()) {
    files[path] = (await readFile(join(folder, path))).toString('base64');
  }
  return gzipSync(JSON.stringify({ format: FORMAT, files } satisfies Pack), { level: 9 });
}

/**
 * Packed files by their path.
 *
 * @throws if they are of another version, or one would lie outside of a folder
 */
export function readPack(packed: Buffer): Map<string, Buffer> {
  const text = gunzipSync(packed, { maxOutputLength: 2 * MOST_CODE_BYTES }).toString();
  const { format, files } = JSON.parse(text) as Pack;
  if (format !== FORMAT) {
    throw new FinalRefusal(
      `The code was packed by another version of Trimtab (${format}, not ${FORMAT}).`,
    );
  }
  return new Map(
    Object.entries(files).map(([path, content]) => [
      requireInside(path),
      Buffer.from(content, 'base64'),
    ]),
  );
}

/**
 * Writes packed files into a folder.
 *
 * @throws as {@link readPack}
 */
export async function unpackFolder(packed: Buffer, folder: string): Promise<void> {
  for (const [path, bytes] of readPack(packed)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}

/** @throws for a path that leaves its folder */
export function requireInside(path: string): string {
  const parts = path.split('/');
  const isPlain = parts.every((part) => part !== '' && part !== '..' && !/[\\:\0]/.test(part));
  if (isPlain) return path;
  throw new FinalRefusal(`${JSON.stringify(path)} is outside of the sweep's folder.`);
}
