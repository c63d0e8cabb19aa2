import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { partOf } from './partOf.ts';
import type { ObjectSource } from './SweepContent.ts';

/** Writes objects into a folder, each named by its digest; what is there already stays. */
export async function writeObjects(
  folder: string,
  sources: ReadonlyMap<string, ObjectSource>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [digest, source] of sources) {
    const target = join(folder, digest);
    if (existsSync(target)) continue;
    const part = partOf(target);
    if ('bytes' in source) await writeFile(part, source.bytes);
    else await copyFile(source.path, part);
    await rename(part, target);
  }
}
