import { resolve } from 'node:path';
import { withFullStop } from '../env/index.ts';
import { describeDatabase, followLink } from '../journal/index.ts';
import type { Environment } from './environment.ts';
import type { Finding } from './Finding.ts';
import type { JournalSettings, WrittenJournal } from './journalSettings.ts';
import { readDatabase } from './readDatabase.ts';
import { Secret } from './Secret.ts';

interface From {
  environment: Environment;
  directory: string;
  /** Whether the bot's own secrets are there; without them an address is missed only where it is used. */
  withKey: boolean;
}

/** Absolute path of the file itself, or the database's address, read from the place that the file names. */
export async function resolveJournal(
  { path, url, account, control_directory: control, durability, keep_days }: WrittenJournal,
  from: From,
): Promise<{ journal: JournalSettings } | { findings: Finding[] }> {
  if (url === undefined) {
    const place =
      path === undefined || path === 'memory'
        ? 'memory'
        : followLink(resolve(from.directory, path));
    return { journal: { path: place, durability, keep_days } };
  }
  const read = await readDatabase(url, ['journal', 'url'], from);
  if ('findings' in read && from.withKey) return read;
  const address = 'findings' in read ? unread(read.findings) : read.url;
  const shown = describeDatabase('findings' in read ? '' : read.url.reveal());
  const journal: JournalSettings = { path: shown, durability, keep_days, url: address };
  if (account !== undefined) journal.account = account;
  if (control !== undefined) journal.control_directory = resolve(from.directory, control);
  return { journal };
}

function unread(findings: readonly Finding[]): Secret {
  const lines = findings.map(
    ({ path, reason, remedy }) => `${path.join('.')}: ${withFullStop(reason)}\n  ${remedy}`,
  );
  return Secret.unread(lines.join('\n'));
}
