import { resolve } from 'node:path';
import { describeDatabase, followLink } from '../journal/index.ts';
import type { Environment } from './environment.ts';
import type { Finding } from './Finding.ts';
import type { JournalSettings, WrittenJournal } from './journalSettings.ts';
import { readDatabase } from './readDatabase.ts';

/** Absolute path of the file itself, or the database's address, read from the place that the file names. */
export async function resolveJournal(
  { path, url, account, control_directory: control, durability, keep_days }: WrittenJournal,
  from: { environment: Environment; directory: string },
): Promise<{ journal: JournalSettings } | { findings: Finding[] }> {
  if (url === undefined) {
    const place =
      path === undefined || path === 'memory'
        ? 'memory'
        : followLink(resolve(from.directory, path));
    return { journal: { path: place, durability, keep_days } };
  }
  const read = await readDatabase(url, ['journal', 'url'], from);
  if ('findings' in read) return read;
  const shown = describeDatabase(read.url.reveal());
  const journal: JournalSettings = { path: shown, durability, keep_days, url: read.url };
  if (account !== undefined) journal.account = account;
  if (control !== undefined) journal.control_directory = resolve(from.directory, control);
  return { journal };
}
