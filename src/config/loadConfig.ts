import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { applyOverrides, type Applied, type ConfigOverrides } from './applyOverrides.ts';
import type { BotConfig } from './BotConfig.ts';
import { RESERVED_SETTINGS, botSettings, type BotSettings } from './botSettings.ts';
import { checkLink } from './checkLink.ts';
import { checkStrategies } from './checkStrategies.ts';
import type { ConfigFault, KeyPath, Place } from './ConfigFault.ts';
import { processEnvironment, type Environment } from './environment.ts';
import type { Finding } from './Finding.ts';
import { findingFault } from './findingFault.ts';
import { toInputSchema } from './knownKeys.ts';
import { literalSecrets } from './literalSecrets.ts';
import { readConfigText } from './readConfigText.ts';
import { resolveBot, resolvePaper } from './resolveBot.ts';
import { resolveBudget } from './resolveBudget.ts';
import { resolveJournal } from './resolveJournal.ts';
import { resolveServiceLink } from './resolveLink.ts';
import { resolveOperate } from './resolveOperate.ts';
import { toFaults, type Places } from './toFaults.ts';
import { unreadableFault } from './unreadableFault.ts';
import { parseYaml, type YamlDocument } from './YamlDocument.ts';

export interface LoadOptions {
  /** Default: the process's environment. */
  env?: Environment;
  /** Whether the user gave `--live`: a file alone never trades on a real service. */
  allowLive?: boolean;
  overrides?: ConfigOverrides;
  /**
   * Whether the bot's own key and shared budget are read; otherwise they are empty. A command to a bot is
   * not signed, and the operator's terminal may have none of the bot's secrets. An address of the journal
   * that can't be read then fails where the journal is opened.
   */
  withKey?: boolean;
}

/** A valid configuration, with functions that locate its values. */
export interface LoadedConfig {
  config: BotConfig;
  /** Builds a fault for a finding of a later stage, such as a plugin that refuses its symbols. */
  faultAt(finding: Finding): ConfigFault;
  /** Faults of a part that only a later stage can check, such as `strategies[0].params`. */
  faultsOf(path: KeyPath, value: unknown, schema: z.ZodType): ConfigFault[];
}

export type LoadResult = ({ ok: true } & LoadedConfig) | { ok: false; faults: ConfigFault[] };

/**
 * Reads one bot's YAML: shape, cross-checks, secrets. Every fault of a stage is reported at once, each
 * with its location, a reason and a remedy; user input never throws.
 */
export async function loadConfig(path: string, options: LoadOptions = {}): Promise<LoadResult> {
  const read = await readConfig(path);
  if ('faults' in read) return { ok: false, faults: read.faults };
  return loadConfigText(path, read.text, options);
}

/** As {@link loadConfig}, of the text that its file had when {@link readConfig} read it. */
export async function loadConfigText(
  path: string,
  text: string,
  options: LoadOptions = {},
): Promise<LoadResult> {
  const parsed = parseYaml(path, text);
  if ('faults' in parsed) return { ok: false, faults: parsed.faults };
  if (parsed.document.value === null) return { ok: false, faults: [emptyFile(path)] };
  return check(parsed.document, options, dirname(resolve(path)));
}

/**
 * As {@link loadConfig}, of a value instead of a file.
 *
 * @param source `file` names the value in messages and reports; relative paths start from `directory`
 */
export function checkConfig(
  value: unknown,
  source: { file: string; directory: string },
  options: LoadOptions = {},
): Promise<LoadResult> {
  const { file, directory } = source;
  const nowhere = (): null => null;
  const document = { file, value, placeOfKey: nowhere, placeOfValue: nowhere };
  return check(document, options, resolve(directory));
}

/** The text of a configuration's file; or why it can't be read. */
export async function readConfig(
  path: string,
): Promise<{ text: string } | { faults: ConfigFault[] }> {
  const read = await readConfigText(path);
  if ('text' in read) return read;
  const remedy = 'Name a configuration, such as configs/demo.yaml, or make one: trimtab init';
  return { faults: [unreadableFault(path, read.reason, read.meant ?? remedy)] };
}

/** Reported before the flags are applied: each of them would report that there is nothing to change. */
function emptyFile(file: string): ConfigFault {
  const remedy = 'Write a bot into it (configs/demo.yaml shows one), or make one: trimtab init';
  return unreadableFault(file, 'the file is empty', remedy);
}

/** The values of a configuration, and where they are, if they are in a file. */
type Source = Pick<YamlDocument, 'file' | 'value'> &
  Record<Finder, (path: KeyPath) => Place | null>;
type Finder = 'placeOfKey' | 'placeOfValue';

async function check(
  document: Source,
  options: LoadOptions,
  directory: string,
): Promise<LoadResult> {
  const { value, applied, faults, journalFlag } = applyOverrides(
    document.value,
    options.overrides ?? {},
  );
  const places = placesIn(document, applied);
  const toFault = (finding: Finding) => findingFault(finding, places);
  const secrets = literalSecrets(value);
  if (secrets.length > 0) return { ok: false, faults: secrets.map(toFault) };
  const shape = botSettings.safeParse(value);
  if (!shape.success) {
    const source = {
      places,
      schema: toInputSchema(botSettings),
      value,
      reserved: RESERVED_SETTINGS,
    };
    return { ok: false, faults: [...faults, ...toFaults(shape.error.issues, source)] };
  }
  const findings = [
    ...checkLink(shape.data, options.allowLive ?? false),
    ...checkStrategies(shape.data),
  ];
  const from = { directory, environment: options.env ?? processEnvironment };
  // A research machine that tries a live bot on a tape has none of its operator's secrets.
  const withKey = (options.withKey ?? true) && options.overrides?.onPaper !== true;
  const link = await makeLink(shape.data, { ...from, withKey });
  const journal = await resolveJournal(shape.data.journal, { ...from, withKey });
  const given = 'findings' in journal ? {} : journal.journal;
  const budget = await resolveBudget(withKey ? shape.data : unshared(shape.data), given, from);
  const operate = await resolveOperate(shape.data.operate, {
    ...from,
    withKey,
    guards: shape.data.guards,
  });
  for (const part of [link, journal, budget, operate]) {
    if ('findings' in part) findings.push(...part.findings);
  }
  const isPartial =
    'findings' in link || 'findings' in journal || 'findings' in budget || 'findings' in operate;
  if (faults.length + findings.length > 0 || isPartial) {
    return { ok: false, faults: [...faults, ...findings.map(toFault)] };
  }
  const config = resolveBot(shape.data, {
    file: document.file,
    directory,
    written: value,
    ...link,
    ...journal,
    journalFlag,
    ...budget,
    ...operate,
  });
  return { ok: true, config, faultAt: toFault, faultsOf: partFaults(places) };
}

async function makeLink(
  settings: BotSettings,
  from: { directory: string; environment: Environment; withKey: boolean },
): Promise<{ link: BotConfig['link'] } | { findings: Finding[] }> {
  if (settings.link.kind !== 'paper') return resolveServiceLink(settings.link, from);
  // A missing section is a finding of checkLink already.
  if (settings.paper === undefined) return { findings: [] };
  return { link: { kind: 'paper', paper: resolvePaper(settings.paper, from.directory) } };
}

function unshared(settings: BotSettings): BotSettings {
  return { ...settings, budget: { ...settings.budget, shared: false } };
}

function placesIn(document: Source, applied: readonly Applied[]): Places {
  // The nearest to the fault, and of the same place the last, whose value it is.
  const near = applied.toSorted((a, b) => a.path.length - b.path.length);
  const flagOf = (path: KeyPath) =>
    near.findLast((change) => change.path.every((key, index) => path[index] === key))?.flag;
  const inFile = (find: Finder) => (path: KeyPath) => {
    const flag = flagOf(path);
    if (flag !== undefined) return { file: flag, place: null };
    return { file: document.file, place: document[find](path) };
  };
  return { ofKey: inFile('placeOfKey'), ofValue: inFile('placeOfValue') };
}

function partFaults(places: Places): LoadedConfig['faultsOf'] {
  return (path, value, schema) => {
    const checked = schema.safeParse(value);
    if (checked.success) return [];
    const source = { places, schema: toInputSchema(schema), value, prefix: path };
    return toFaults(checked.error.issues, source);
  };
}
