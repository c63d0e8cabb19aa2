import { dirname, resolve } from 'node:path';
import { paperSettings, type PaperSettings } from '../paper/server/PaperSettings.ts';
import type { ConfigFault, KeyPath } from './ConfigFault.ts';
import { findingFault } from './findingFault.ts';
import { toInputSchema } from './knownKeys.ts';
import { readConfigText } from './readConfigText.ts';
import { repeatedFeeds } from './repeatedFeeds.ts';
import { resolvePaper } from './resolveBot.ts';
import { toFaults } from './toFaults.ts';
import { unfedSymbols } from './unfedSymbols.ts';
import { unreadableFault } from './unreadableFault.ts';
import { parseYaml } from './YamlDocument.ts';

/** The section may leave its feeds to the command line. */
export type PaperSection = Omit<PaperSettings, 'feeds'> & { feeds?: PaperSettings['feeds'] };

export type PaperSectionResult =
  { ok: true; section: PaperSection } | { ok: false; faults: ConfigFault[] };

const sectionSchema = paperSettings.partial({ feeds: true });

/**
 * Reads section `paper` of a YAML for `trimtab paper --config`: a bot's file, or one with nothing else.
 * Paths in it are relative to it.
 *
 * @param fedWith all symbols with a feed, given those of the section's feeds
 */
export async function loadPaperSection(
  path: string,
  fedWith: (own: readonly string[]) => readonly string[] = (own) => own,
): Promise<PaperSectionResult> {
  const read = await readConfigText(path);
  if ('reason' in read)
    return failure(path, read.reason, read.meant ?? 'Check the path after --config.');
  const parsed = parseYaml(path, read.text);
  if ('faults' in parsed) return { ok: false, faults: parsed.faults };
  const { document } = parsed;
  const value = (document.value as { paper?: unknown } | null)?.paper;
  if (value === undefined) {
    return failure(path, 'the file has no section `paper`', 'Add one, or leave --config out.');
  }
  const places = {
    ofKey: (at: KeyPath) => ({ file: path, place: document.placeOfKey(at) }),
    ofValue: (at: KeyPath) => ({ file: path, place: document.placeOfValue(at) }),
  };
  const shape = sectionSchema.safeParse(value);
  if (!shape.success) {
    const schema = toInputSchema(sectionSchema);
    const faults = toFaults(shape.error.issues, { places, schema, value, prefix: ['paper'] });
    return { ok: false, faults };
  }
  const { feeds = [], ...rest } = shape.data;
  const findings = [
    ...repeatedFeeds(feeds),
    ...unfedSymbols(shape.data, fedWith(feeds.map(({ symbol }) => symbol))),
  ];
  if (findings.length > 0)
    return { ok: false, faults: findings.map((one) => findingFault(one, places)) };
  const absolute = resolvePaper({ ...rest, feeds }, dirname(resolve(path)));
  const { feeds: resolved, ...section } = absolute;
  return { ok: true, section: resolved.length === 0 ? section : { ...section, feeds: resolved } };
}

function failure(file: string, reason: string, remedy: string): PaperSectionResult {
  return { ok: false, faults: [unreadableFault(file, reason, remedy)] };
}
