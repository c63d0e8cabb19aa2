import { dirname, resolve } from 'node:path';
import type { ConfigFault, KeyPath } from './ConfigFault.ts';
import { processEnvironment } from './environment.ts';
import { journalSettings, type JournalSettings } from './journalSettings.ts';
import { toInputSchema } from './knownKeys.ts';
import { readConfigText } from './readConfigText.ts';
import { resolveJournal } from './resolveJournal.ts';
import { toFaults } from './toFaults.ts';
import { unreadableFault } from './unreadableFault.ts';
import { parseYaml } from './YamlDocument.ts';

export type JournalSectionResult =
  { ok: true; journal: JournalSettings } | { ok: false; faults: ConfigFault[] };

/**
 * Reads only the location of a bot's journal: to inspect it, neither the service's secrets nor a valid
 * configuration is needed.
 */
export async function loadJournalSection(path: string): Promise<JournalSectionResult> {
  const read = await readConfigText(path);
  if ('reason' in read) return failure(path, read.reason, read.meant ?? 'Check the path.');
  const parsed = parseYaml(path, read.text);
  if ('faults' in parsed) return { ok: false, faults: parsed.faults };
  const { document } = parsed;
  const value = (document.value as { journal?: unknown } | null)?.journal;
  if (value === undefined) {
    return failure(path, 'the file names no journal', 'Name the journal itself instead.');
  }
  const ofKey = (at: KeyPath) => ({ file: path, place: document.placeOfKey(at) });
  const ofValue = (at: KeyPath) => ({ file: path, place: document.placeOfValue(at) });
  const shape = journalSettings.safeParse(value);
  if (!shape.success) {
    const source = { places: { ofKey, ofValue }, schema: toInputSchema(journalSettings), value };
    return { ok: false, faults: toFaults(shape.error.issues, { ...source, prefix: ['journal'] }) };
  }
  const directory = dirname(resolve(path));
  const source = { directory, environment: processEnvironment, withKey: true };
  const resolved = await resolveJournal(shape.data, source);
  if ('journal' in resolved) return { ok: true, journal: resolved.journal };
  const [{ code, reason, remedy }] = resolved.findings as [(typeof resolved.findings)[number]];
  return {
    ok: false,
    faults: [{ code, ...ofValue(['journal']), path: 'journal', value: null, reason, remedy }],
  };
}

function failure(file: string, reason: string, remedy: string): JournalSectionResult {
  return { ok: false, faults: [unreadableFault(file, reason, remedy)] };
}
