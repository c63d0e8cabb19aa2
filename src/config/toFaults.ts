import type { z } from 'zod';
import { formatPath, type ConfigFault, type KeyPath, type Place } from './ConfigFault.ts';
import { describe, keysBeside, knownKeys, type JsonSchema } from './knownKeys.ts';
import { showValue } from '../contract/index.ts';
import { nearest } from '../contract/nearest.ts';

type Issue = z.core.$ZodIssue;

/** Locations of keys and values: in the file, or on the command line. */
export interface Places {
  ofKey(path: KeyPath): { file: string; place: Place | null };
  ofValue(path: KeyPath): { file: string; place: Place | null };
}

/** A known key in the wrong place: the reason, and the remedy unless that is to use another key. */
export interface ReservedKey {
  reason: string;
  remedy?: string;
}

export interface FaultSource {
  places: Places;
  /** JSON Schema of what was checked, for suggestions and descriptions. */
  schema: JsonSchema;
  /** The checked value. */
  value: unknown;
  /** Path of {@link value} in the file. */
  prefix?: KeyPath;
  /** Keys that deserve a better message than "unknown key", by dotted path. */
  reserved?: Readonly<Record<string, ReservedKey>>;
}

/** Turns the issues of a schema into faults with location, reason and remedy. */
export function toFaults(issues: readonly Issue[], source: FaultSource): ConfigFault[] {
  return issues.flatMap((issue) => issueFaults(issue, [], source));
}

function issueFaults(issue: Issue, parent: KeyPath, source: FaultSource): ConfigFault[] {
  const path = [...parent, ...(issue.path as (string | number)[])];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey([...path, key], source));
  }
  const branch = issue.code === 'invalid_union' ? likelyBranch(issue.errors) : null;
  if (branch !== null) return branch.flatMap((inner) => issueFaults(inner, path, source));
  return [valueFault(issue, path, source)];
}

/**
 * The alternative that was probably meant: the one whose type fits, with the fewest faults. A wrong
 * literal fits no better than another type: then all alternatives are reported.
 */
function likelyBranch(branches: readonly Issue[][]): Issue[] | null {
  const WRONG_KIND = ['invalid_type', 'invalid_value'];
  const wrongKind = (branch: Issue[]) =>
    branch.some((issue) => issue.path.length === 0 && WRONG_KIND.includes(issue.code));
  const fitting = branches.filter((branch) => !wrongKind(branch));
  return fitting.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

function unknownKey(path: KeyPath, source: FaultSource): ConfigFault {
  const key = String(path.at(-1));
  const known = knownKeys(source.schema, path.slice(0, -1)).filter((name) => name !== key);
  const suggestion = nearest(key, known);
  const rivals = rivalsOf(path, source);
  const reserved = source.reserved?.[formatPath(path)] ?? rivals;
  const list = known.length === 0 ? 'Remove it.' : `Known here: ${known.join(', ')}.`;
  return {
    code: reserved === undefined ? 'TRIMTAB_CONFIG_UNKNOWN_KEY' : 'TRIMTAB_CONFIG_KEYS_EXCLUDE',
    ...source.places.ofKey(full(path, source)),
    path: formatPath(full(path, source)),
    value: null,
    reason: reserved?.reason ?? 'unknown key',
    remedy: reserved?.remedy ?? (suggestion === null ? list : `Did you mean ${suggestion}?`),
  };
}

/** The message for a key that is known here, but not beside another one that is also present. */
function rivalsOf(path: KeyPath, source: FaultSource): ReservedKey | undefined {
  const [map, key] = [path.slice(0, -1), String(path.at(-1))];
  const beside = keysBeside(source.schema, map, key);
  if (beside.length === 0) return undefined;
  const given = Object.keys(valueAt(source.value, map) as object);
  const rivals = given.filter((name) => !beside.includes(name)).join(', ');
  if (rivals === '') return undefined;
  return { reason: `can't stand beside ${rivals}`, remedy: `Leave out ${key} or ${rivals}.` };
}

function valueFault(issue: Issue, path: KeyPath, source: FaultSource): ConfigFault {
  const value = valueAt(source.value, path);
  const missing = value === undefined;
  return {
    code: missing ? 'TRIMTAB_CONFIG_MISSING_KEY' : 'TRIMTAB_CONFIG_BAD_VALUE',
    ...source.places.ofValue(full(path, source)),
    path: formatPath(full(path, source)),
    value: missing ? null : showValue(full(path, source), value),
    reason: missing ? 'is missing' : reasonOf(issue),
    remedy: remedyOf(issue, path, value, source),
  };
}

function full(path: KeyPath, source: FaultSource): KeyPath {
  return [...(source.prefix ?? []), ...path];
}

function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((inner, key) => {
    const isHeld = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key);
    return isHeld ? (inner as Record<string | number, unknown>)[key] : undefined;
  }, value);
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map (key: value)',
  record: 'a map (key: value)',
};

function reasonOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return bound(issue, issue.minimum, issue.inclusive === false ? 'above' : 'at least');
    case 'too_big':
      return bound(issue, issue.maximum, issue.inclusive === false ? 'below' : 'at most');
    case 'invalid_union':
      return unionReason(issue);
    default:
      return issue.message.replace(/\.$/, '');
  }
}

function unionReason(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const options = (issue as { options?: readonly unknown[] }).options;
  if (options !== undefined) return `must be one of ${options.map(String).join(', ')}`;
  const reasons = issue.errors.flatMap((branch) => branch.slice(0, 1).map(reasonOf));
  return [...new Set(reasons)].join(', or ').replaceAll(', or must be ', ' or ');
}

function bound(issue: { origin: string }, limit: number | bigint, word: string): string {
  if (issue.origin === 'array') return `must have ${word} ${limit} entries`;
  if (issue.origin === 'string') return `must have ${word} ${limit} letters`;
  return `must be ${word} ${limit}`;
}

function remedyOf(issue: Issue, path: KeyPath, value: unknown, source: FaultSource): string {
  const meaning = describe(source.schema, path);
  const key = formatPath(path.slice(-1));
  if (value === undefined) return `Add ${key}. ${meaning}`.trim();
  const meant = typeof value === 'string' ? nearest(value, choices(issue)) : null;
  if (meant !== null) return `Did you mean ${meant}?`;
  const rewritten = rewrittenAs(issue, value);
  if (rewritten !== null) return `${rewritten} ${meaning}`.trim();
  return meaning === '' ? 'Correct the value.' : meaning;
}

/** YAML takes a value for what its quotes and separators say: one of the wrong type was often meant as the right one. */
function rewrittenAs(issue: Issue, value: unknown): string | null {
  const wanted = wantedTypes(issue);
  if (wanted.has('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return `Put it into quotes: "${String(value)}".`;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (wanted.has('boolean') && (text === 'true' || text === 'false'))
    return `Remove the quotes: ${text}.`;
  if (!wanted.has('number') && !wanted.has('int')) return null;
  if (NUMBER.test(text)) return `Remove the quotes: ${text}.`;
  return GROUPED.test(text) ? `Write it as ${text.replace(/[,_' ]/g, '')}.` : null;
}

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
/** Digits in groups of three, as people write them and YAML does not. */
const GROUPED = /^[-+]?\d{1,3}(?:[,_' ]\d{3})+(?:\.\d+)?$/;

/** The types that would do: of all alternatives, where there are some. */
function wantedTypes(issue: Issue): ReadonlySet<string> {
  if (issue.code === 'invalid_type') return new Set([issue.expected]);
  if (issue.code !== 'invalid_union') return new Set();
  const heads = issue.errors.flatMap((branch) => branch.slice(0, 1));
  return new Set(heads.flatMap((head) => [...wantedTypes(head)]));
}

function choices(issue: Issue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  const options = (issue as { options?: readonly unknown[] }).options;
  return options?.map(String) ?? [];
}
