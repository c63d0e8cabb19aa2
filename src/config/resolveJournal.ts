import { resolve } from 'node:path';
import { describeDatabase } from '../journal/index.ts';
import { databaseFault } from './databaseUrl.ts';
import type { Environment } from './environment.ts';
import type { Finding } from './Finding.ts';
import type { JournalSettings, WrittenJournal } from './journalSettings.ts';
import { readSecret } from './readSecret.ts';
import { Secret } from './Secret.ts';

/** Absolute path, or the database's address read from where the file says it is. */
export async function resolveJournal(
  { path, url, account, durability, keep_days }: WrittenJournal,
  from: { environment: Environment; directory: string },
): Promise<{ journal: JournalSettings } | { findings: Finding[] }> {
  if (url === undefined) {
    const place =
      path === undefined || path === 'memory' ? 'memory' : resolve(from.directory, path);
    return { journal: { path: place, durability, keep_days } };
  }
  const read = typeof url === 'string' ? { text: url } : await readSecret(url, from);
  if (!('text' in read)) return { findings: [{ path: ['journal', 'url'], ...read }] };
  const fault = databaseFault(read.text);
  if (fault !== undefined) return { findings: [unusable(fault)] };
  const shown = describeDatabase(read.text);
  const journal = { path: shown, durability, keep_days, url: new Secret(read.text) };
  return { journal: account === undefined ? journal : { ...journal, account } };
}

function unusable(reason: string): Finding {
  const remedy = 'Correct what it refers to.';
  return { path: ['journal', 'url'], reason: `what it refers to ${reason}`, remedy };
}
