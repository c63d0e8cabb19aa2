import { readdirSync, renameSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';

/**
 * Renames a recording that has anything in it: `seen.jsonl` becomes `seen.1.jsonl`, that of the next run `seen.2.jsonl`,
 * so that the highest number is the newest, also where some are gone. What is no regular file, such as a pipe, is written into.
 *
 * @returns its new path; undefined if there was nothing to set aside
 * @throws the system's error
 */
export function setRecordingAside(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size === 0) return undefined;
  const { dir, name, ext } = parse(path);
  const numbers = readdirSync(dir === '' ? '.' : dir)
    .filter((file) => file.startsWith(`${name}.`) && file.endsWith(ext))
    .map((file) => file.slice(name.length + 1, ext === '' ? undefined : -ext.length))
    .filter((number) => /^\d+$/.test(number))
    .map(Number);
  const aside = join(dir, `${name}.${Math.max(0, ...numbers) + 1}${ext}`);
  renameSync(path, aside);
  return aside;
}
