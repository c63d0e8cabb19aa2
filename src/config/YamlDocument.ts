import {
  LineCounter,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
} from 'yaml';
import type { ConfigFault, KeyPath, Place } from './ConfigFault.ts';
import { unreadableFault } from './unreadableFault.ts';

/** Keys that would reach an object's prototype instead of its fields. */
const RESERVED_KEYS = ['__proto__', 'constructor', 'prototype'];

/** More aliases than this are an attack (each may multiply the document), not a configuration. */
const MAX_ALIASES = 100;

const UNREADABLE = [
  'the text makes no sense here',
  'Check indentation, colons, brackets and quotes on this line and the one before it.',
] as const;

/** Our own message for each fault: the parser's messages quote the file, which may contain a secret. */
const SYNTAX: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  BAD_INDENT: ['the indentation is wrong', 'Line it up with its neighbours, with spaces.'],
  TAB_AS_INDENT: ['a tab indents the line', 'Use spaces.'],
  DUPLICATE_KEY: ['the key stands here a second time', 'Keep one of the two.'],
  UNCLOSED: ['a bracket opens here and is not closed', 'Close it, or take one away.'],
  MAP_AS_KEY: ['a bracket stands where a key must', 'Write one bracket less, or quote the text.'],
  MISSING_CHAR: ['a closing quote, bracket or colon is missing', 'Add it.'],
  // The parser has no code for it.
  NO_ANCHOR: [
    'an alias (*name) has no anchor (&name) before it',
    'Write the value out, or quote a text that begins with *.',
  ],
  BAD_ALIAS: ['an alias (*name) is malformed', 'Write the value out, or quote it.'],
  TAG_RESOLVE_FAILED: ['tags (!name) are not supported', 'Quote the value, or leave the tag out.'],
  MULTIPLE_DOCS: ['a second document (---) begins', 'Keep one bot a file.'],
  NON_STRING_KEY: ['the key is not a text', 'Use a plain word as the key.'],
  BLOCK_AS_IMPLICIT_KEY: ['a map begins inside a value', 'Quote the value, or break the line.'],
  BAD_SCALAR_START: ['the value starts with a reserved character', 'Quote it.'],
  BAD_DQ_ESCAPE: ['an escape (\\) in double quotes is unknown', 'Use single quotes.'],
};

/** A parsed file: its values as plain data, and the location of each key and value. */
export interface YamlDocument {
  file: string;
  value: unknown;
  /** Location of a key's value; of the nearest existing parent if the path doesn't exist. */
  placeOfValue(path: KeyPath): Place;
  /** Location of the key itself, for a wrong key. */
  placeOfKey(path: KeyPath): Place;
}

// oxlint-disable-next-line no-control-regex -- that is what tells it from text
const NOT_TEXT = /[\u0000\uFFFD]/;

export type ParsedYaml = { document: YamlDocument } | { faults: ConfigFault[] };

/** Reads YAML 1.2: one document, unique keys, no tags that create objects, no prototype keys. */
export function parseYaml(file: string, text: string): ParsedYaml {
  // A database, an archive, or text of another encoding: each byte of it would be a fault.
  if (NOT_TEXT.test(text)) {
    const remedy = 'Name a YAML file; save it as UTF-8 if it is one.';
    return { faults: [unreadableFault(file, 'the file is not text in UTF-8', remedy)] };
  }
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems = [...parsed.errors, ...parsed.warnings].map(({ pos, code }) => {
    const bracket = unclosedBracket(parsed, pos[0], code);
    return bracket === null
      ? syntaxFault(file, placeAt(pos[0]), code)
      : syntaxFault(file, placeAt(bracket), 'UNCLOSED');
  });
  problems.push(
    ...keysThatAreMaps(parsed).map((at) => syntaxFault(file, placeAt(at), 'MAP_AS_KEY')),
  );
  const reserved = reservedKeys(parsed).map(({ key, offset }) =>
    fault(file, placeAt(offset), key, 'the key is reserved', 'Name it otherwise.'),
  );
  if (problems.length + reserved.length > 0) return { faults: [...once(problems), ...reserved] };
  return readValue(file, parsed, placeAt);
}

function readValue(file: string, parsed: Document, placeAt: (offset: number) => Place): ParsedYaml {
  try {
    const value: unknown = parsed.toJS({ maxAliasCount: MAX_ALIASES });
    if (value !== null && !isMap(parsed.contents)) {
      const reason = `the file holds ${Array.isArray(value) ? 'a list' : 'one value'} and no keys`;
      const remedy = 'Name a configuration, such as configs/demo.yaml, or make one: trimtab init';
      return { faults: [unreadableFault(file, reason, remedy)] };
    }
    const find = (path: KeyPath) => locate(parsed, path);
    return {
      document: {
        file,
        value,
        placeOfValue: (path) => placeAt(find(path).value),
        placeOfKey: (path) => placeAt(find(path).key),
      },
    };
  } catch {
    const loose = looseAliases(parsed).map((at) => syntaxFault(file, placeAt(at), 'NO_ANCHOR'));
    if (loose.length > 0) return { faults: loose };
    const reason = 'aliases (*name) multiply too far';
    return { faults: [fault(file, null, '', reason, 'Write the values out.')] };
  }
}

function syntaxFault(file: string, place: Place, code: string): ConfigFault {
  const [reason, remedy] = SYNTAX[code] ?? UNREADABLE;
  return fault(file, place, '', `not valid YAML: ${reason}`, remedy);
}

function fault(
  file: string,
  place: Place | null,
  path: string,
  reason: string,
  remedy: string,
): ConfigFault {
  return { code: 'TRIMTAB_CONFIG_SYNTAX', file, place, path, value: null, reason, remedy };
}

/** Where the unclosed bracket opens; the parser notices it only lines further down. */
function unclosedBracket(parsed: Document, at: number, code: string): number | null {
  if (code !== 'BAD_INDENT') return null;
  let start: number | null = null;
  visit(parsed, {
    Collection: (_, node) => {
      if (node.flow !== true || node.range?.[1] !== at) return undefined;
      start = node.range[0];
      return visit.BREAK;
    },
  });
  return start;
}

/** `{{ fast: 10 }}` is valid YAML, a map whose key is a map, but never intended. */
function keysThatAreMaps(parsed: Document): number[] {
  const found: number[] = [];
  visit(parsed, {
    Pair: (_, { key }) => void (isCollection(key) && found.push(offsetOf(key))),
  });
  return found;
}

/** Aliases without an anchor before them, by their offsets. */
function looseAliases(parsed: Document): number[] {
  const found: number[] = [];
  visit(parsed, {
    Alias: (_, alias) => void (alias.resolve(parsed) === undefined && found.push(offsetOf(alias))),
  });
  return found;
}

/** Two unclosed brackets are one fault. */
function once(faults: readonly ConfigFault[]): ConfigFault[] {
  const isNew = (fault: ConfigFault, index: number): boolean =>
    faults.findIndex(
      ({ place, reason }) =>
        reason === fault.reason &&
        place?.line === fault.place?.line &&
        place?.column === fault.place?.column,
    ) === index;
  return faults.filter(isNew);
}

function reservedKeys(parsed: Document): { key: string; offset: number }[] {
  const found: { key: string; offset: number }[] = [];
  visit(parsed, {
    Pair: (_, pair) => {
      const key = isScalar(pair.key) ? pair.key.value : null;
      if (typeof key === 'string' && RESERVED_KEYS.includes(key)) {
        found.push({ key, offset: offsetOf(pair.key) });
      }
    },
  });
  return found;
}

/** Walks as far down as the path exists; a missing rest is placed at its nearest parent's key. */
function locate(parsed: Document, path: KeyPath): { key: number; value: number } {
  let node: unknown = parsed.contents;
  let at = { key: offsetOf(node), value: offsetOf(node) };
  for (const step of path) {
    const next = child(isAlias(node) ? node.resolve(parsed) : node, step);
    if (next === undefined) return { key: at.key, value: at.key };
    node = isPair(next) ? next.value : next;
    const key = isPair(next) ? offsetOf(next.key) : offsetOf(next);
    at = { key, value: isNode(node) && node.range ? offsetOf(node) : key };
  }
  return at;
}

function child(node: unknown, step: string | number): Pair | Node | undefined {
  if (isMap(node)) {
    return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(step));
  }
  const item = isSeq(node) ? node.items[Number(step)] : undefined;
  return isNode(item) || isPair(item) ? item : undefined;
}

function offsetOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
