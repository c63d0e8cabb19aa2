import { existsSync, renameSync, statSync } from 'node:fs';
import { parse, join } from 'node:path';

/**
 * Renames a recording that has anything in it: `seen.jsonl` becomes `seen.1.jsonl`, that of the next run `seen.2.jsonl`,
 * so that the highest number is the newest. What is no regular file, such as a pipe, is written into.
 *
 * @returns its new path; undefined if there was nothing to set aside
 * @throws the system's error
 */
export function setRecordingAside(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size === 0) return undefined;
  const { dir, name, ext } = parse(path);
  const numbered = (number: number): string => join(dir, `${name}.${number}${ext}`);
  let number = 1;
  while (existsSync(numbered(number))) number++;
  renameSync(path, numbered(number));
  return numbered(number);
}
