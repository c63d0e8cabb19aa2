import { readdirSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { nearest } from '../contract/nearest.ts';

/** More than a person looks through; beyond it nothing is compared. */
const MOST_FILES = 10_000;

/** Endings of what Trimtab and SQLite write beside a file, which nobody means by a path. */
const COMPANION = /(?:\.lock|-wal|-shm|-journal|\.part|\.new)$/;
const CONTROL =
  /\.(?:order|pulse|settlement|settled|strategy|strategy-done|rotation|rotation-done)\.json$/;

/**
 * A remedy for a path that does not exist: the file beside it that was probably meant, where a link
 * leads to nothing, or that its folder does not exist either; undefined if nothing of it.
 */
export function meantFile(path: string): string | undefined {
  const folder = dirname(path);
  let found: string[];
  try {
    found = readdirSync(folder);
  } catch {
    return `There is no folder ${folder} either.`;
  }
  if (found.includes(basename(path))) return brokenLink(path);
  if (found.length > MOST_FILES) return undefined;
  const names = found.filter((name) => !COMPANION.test(name) && !CONTROL.test(name));
  const wanted = basename(path);
  // The same file with another ending is nearer than another one of the same length.
  const longer = names.find((name) => name.startsWith(`${wanted}.`));
  const meant = longer ?? nearest(wanted, names);
  if (meant === null) return undefined;
  // As the user wrote it: ./name stays ./name.
  const prefix = path.slice(0, path.length - wanted.length);
  return `Did you mean ${path.endsWith(wanted) ? prefix + meant : join(folder, meant)}?`;
}

/** What has the name and is not there: its disk may not be mounted. */
function brokenLink(path: string): string | undefined {
  try {
    return `It is a link to ${resolve(dirname(path), readlinkSync(path))}, where nothing is.`;
  } catch {
    return undefined;
  }
}
