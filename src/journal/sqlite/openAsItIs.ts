import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';

/**
 * Opens a database for reading by its file alone, without its log, and takes no lock.
 *
 * A journal's file is never opened in another way than by SQLite: the system's locks belong to the process, and the
 * first descriptor of a file that is closed takes them all off. SQLite counts its own.
 */
export function openAsItIs(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}
