import { resolve } from 'node:path';
import { parse } from 'yaml';
import { INTERVALS } from '../contract/index.ts';
import { nearest } from '../contract/nearest.ts';
import { isPostgresUrl } from '../journal/index.ts';
import { formatPath, type ConfigFault, type KeyPath } from './ConfigFault.ts';

/** Overrides of a file by the command line; paths are relative to the working directory. */
export interface ConfigOverrides {
  /** `SYMBOL@INTERVAL=PATH`, or a feed as in the file: replaces the feed of that symbol, or adds it. */
  feeds?: readonly (string | { symbol: string })[];
  /** `key.path=value`, the value as YAML: `guards.max_leverage=3`. */
  set?: readonly string[];
  /** `NAME=VALUE` or `STRATEGY.NAME=VALUE`: a parameter of a strategy, the value as YAML. */
  params?: readonly string[];
  seed?: string;
  /** Values of a program, applied before all others; `flag` names each in messages. */
  edits?: readonly Edit[];
  /** Trades on embedded paper regardless of the file's link: nothing leaves this machine. */
  onPaper?: boolean;
  report?: string;
  journal?: string;
}

/** A changed value and its flag, for messages. */
export interface Applied {
  path: KeyPath;
  flag: string;
}

export interface Overridden {
  value: unknown;
  applied: Applied[];
  faults: ConfigFault[];
  /** What `--journal` names, a path absolute. */
  journalFlag?: string;
}

/** A value for a key, and the name that messages give its origin. */
export type Edit = Applied & { value: unknown };

/** Applies the flags to the file's values; values from flags are checked like those of the file. */
export function applyOverrides(value: unknown, overrides: ConfigOverrides): Overridden {
  const copy: unknown = structuredClone(value);
  const result: Overridden = { value: copy, applied: [], faults: [] };
  // A kind that does not exist is refused here as it is by `trimtab run`.
  if (overrides.onPaper === true && hasKnownLink(copy)) {
    apply(result, { path: ['link'], flag: 'a run on paper', value: { kind: 'paper' } });
  }
  for (const edit of overrides.edits ?? []) apply(result, edit);
  for (const text of overrides.feeds ?? []) apply(result, feedEdit(copy, text));
  for (const name of ['report', 'journal'] as const) {
    const given = overrides[name];
    if (given === undefined) continue;
    const isPath = given !== 'memory' && !isPostgresUrl(given);
    const path = isPath ? resolve(given) : given;
    if (name === 'journal') result.journalFlag = path;
    apply(result, { path: [name], flag: `--${name}`, value: path });
  }
  const fed = new Map(result.applied.map(({ path, flag }) => [formatPath(path), flag]));
  for (const text of overrides.set ?? []) apply(result, beside(fed, setEdit(text)));
  for (const text of overrides.params ?? []) apply(result, paramEdit(copy, text));
  if (overrides.seed !== undefined) {
    const { seed } = overrides;
    apply(result, yamlEdit({ path: ['seed'], flag: `--seed ${seed}` }, seed));
  }
  return result;
}

function apply(result: Overridden, edit: Edit | ConfigFault): void {
  if ('reason' in edit) {
    result.faults.push(edit);
    return;
  }
  const made = ownStepsOf(result.value, edit.path);
  if (write(result.value, edit.path, edit.value)) {
    // What holds the value is the flag's too where the file has none of it.
    if (made < edit.path.length)
      result.applied.push({ path: edit.path.slice(0, made), flag: edit.flag });
    result.applied.push({ path: edit.path, flag: edit.flag });
  } else {
    const key = formatPath(edit.path);
    const remedy =
      'Name a key of the file; entries of a list by their number: strategies[0].params';
    result.faults.push(flagFault(edit.flag, `the key ${key} leads nowhere`, remedy));
  }
}

/** How many steps of a path lead to the first thing that is not there yet: the length of the path, or less. */
function ownStepsOf(root: unknown, path: KeyPath): number {
  let target = root;
  for (const [index, key] of path.entries()) {
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key))
      return index + 1;
    target = (target as Record<string | number, unknown>)[key];
  }
  return path.length;
}

const FEED = /^(?<symbol>[^@=]+)@(?<interval>[^@=]+)=(?<path>.+)$/;

function feedEdit(value: unknown, text: string | { symbol: string }): Edit | ConfigFault {
  if (typeof text !== 'string') {
    const index = feedIndex(value, text.symbol);
    return { path: ['paper', 'feeds', index], flag: `the feed of ${text.symbol}`, value: text };
  }
  const flag = `--feed ${text}`;
  const { symbol, interval, path } = FEED.exec(text)?.groups ?? {};
  if (symbol === undefined || interval === undefined || path === undefined) {
    return flagFault(flag, 'not a feed', 'Write SYMBOL@INTERVAL=PATH, such as BTC@1m=btc.csv.gz');
  }
  if (!(INTERVALS as readonly string[]).includes(interval)) {
    const meant = nearest(interval, INTERVALS);
    const list = `Intervals: ${INTERVALS.join(' ')}.`;
    return flagFault(flag, `unknown interval ${interval}`, meant ? `Did you mean ${meant}?` : list);
  }
  const feed = { symbol, interval, path: resolve(path) };
  return { path: ['paper', 'feeds', feedIndex(value, symbol)], flag, value: feed };
}

function feedIndex(value: unknown, symbol: string): number {
  const feeds = (value as { paper?: { feeds?: unknown } } | null)?.paper?.feeds;
  if (!Array.isArray(feeds)) return 0;
  const held = feeds.findIndex((feed) => (feed as { symbol?: unknown } | null)?.symbol === symbol);
  return held === -1 ? feeds.length : held;
}

const SETTING = /^(?<key>[^=]+)=(?<value>.*)$/s;

function setEdit(text: string): Edit | ConfigFault {
  const { key, value } = SETTING.exec(text)?.groups ?? {};
  // The value may be a secret typed in the wrong place, so messages name only the key.
  const flag = `--set ${key ?? '…'}`;
  if (key === undefined || value === undefined) {
    return flagFault(flag, 'not a setting', 'Write KEY=VALUE, such as guards.max_leverage=3');
  }
  return yamlEdit({ path: parsePath(key), flag }, value);
}

function yamlEdit(place: Applied, text: string): Edit | ConfigFault {
  try {
    return { ...place, value: parse(text) as unknown };
  } catch {
    return flagFault(place.flag, 'the value is not YAML', 'Quote it.');
  }
}

/** A feed from a flag has a file, so the settings of a generated one are dropped. */
function beside(fed: ReadonlyMap<string, string>, edit: Edit | ConfigFault): Edit | ConfigFault {
  if ('reason' in edit || edit.path[3] !== 'generate') return edit;
  const feed = fed.get(formatPath(edit.path.slice(0, 3)));
  if (feed === undefined) return edit;
  const reason = `${feed} takes the place of this feed, and there is nothing to generate`;
  return flagFault(edit.flag, reason, 'Leave out one of the two.');
}

/** A strategy need not be named if there is only one. */
function paramEdit(value: unknown, text: string): Edit | ConfigFault {
  const { key, value: given } = SETTING.exec(text)?.groups ?? {};
  const flag = `--param ${key ?? text}`;
  if (key === undefined || given === undefined) {
    return flagFault(flag, 'not a parameter', 'Write NAME=VALUE or STRATEGY.NAME=VALUE.');
  }
  const names = strategyNames(value);
  // A name may have dots: of `ema` and `ema.v2` the longer one is meant.
  const [named] = names
    .filter((name) => name !== '' && key.startsWith(`${name}.`))
    .toSorted((a, b) => b.length - a.length);
  const [first = '', second] = parsePath(key);
  if (
    named === undefined &&
    names.length > 0 &&
    typeof second === 'string' &&
    !holdsParam(value, String(first))
  ) {
    const { asked, meant, rest } = nameMeant(key, names);
    const reason = `no strategy is called ${asked} (there is: ${names.join(', ')})`;
    return flagFault(flag, reason, `Write ${meant}.${rest}=${given}.`);
  }
  if (named === undefined && names.length !== 1) {
    const reason = `it does not say which strategy's, and there are ${names.join(', ')}`;
    return flagFault(flag, reason, `Write ${names[0] ?? 'STRATEGY'}.${key}=${given}.`);
  }
  const index = named === undefined ? 0 : names.indexOf(named);
  const steps = parsePath(named === undefined ? key : key.slice(named.length + 1));
  return yamlEdit({ path: ['strategies', index, 'params', ...steps], flag }, given);
}

/** The strategy whose name a key nearly begins with; otherwise the first one, for what is before the first dot. */
function nameMeant(key: string, names: readonly string[]) {
  const parts = key.split('.');
  const partsOf = (name: string): number => name.split('.').length;
  const counts = new Set(names.map(partsOf));
  for (const count of [...counts].toSorted((a, b) => b - a)) {
    if (count >= parts.length) continue;
    const asked = parts.slice(0, count).join('.');
    const alike = names.filter((name) => partsOf(name) === count);
    const meant = nearest(asked, alike);
    if (meant !== null) return { asked, meant, rest: key.slice(asked.length + 1) };
  }
  const [asked = ''] = parts;
  return { asked, meant: names[0], rest: key.slice(asked.length + 1) };
}

/** Whether the only strategy has this parameter: then the text after the dot is a part of it. */
function holdsParam(value: unknown, name: string): boolean {
  const { strategies } = value as { strategies: Array<{ params?: object | null }> };
  const params = strategies.length === 1 ? strategies[0]?.params : null;
  return typeof params === 'object' && params !== null && Object.hasOwn(params, name);
}

function strategyNames(value: unknown): string[] {
  const strategies = (value as { strategies?: unknown } | null)?.strategies;
  if (!Array.isArray(strategies)) return [];
  return strategies.map((one) => {
    const name = (one as { name?: unknown } | null)?.name;
    return typeof name === 'string' ? name : '';
  });
}

/** `strategies[0].params.period` → its steps. */
function parsePath(text: string): KeyPath {
  return text
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/**
 * Only own fields: a path can't reach a prototype. A list accepts only indices up to its end: any other
 * key would be set on the array, where nothing reads it.
 */
function write(root: unknown, path: KeyPath, value: unknown): boolean {
  let target = root;
  for (const [index, key] of path.entries()) {
    if (typeof target !== 'object' || target === null) return false;
    if (Array.isArray(target) && !(typeof key === 'number' && key <= target.length)) return false;
    const holder = target as Record<string | number, unknown>;
    if (index === path.length - 1) return Reflect.defineProperty(holder, key, plain(value));
    const made = typeof path[index + 1] === 'number' ? [] : {};
    if (!Object.hasOwn(holder, key)) Reflect.defineProperty(holder, key, plain(made));
    target = holder[key];
  }
  return false;
}

function plain(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
}

function flagFault(flag: string, reason: string, remedy: string): ConfigFault {
  return {
    code: 'TRIMTAB_CONFIG_FLAG',
    file: flag,
    place: null,
    path: '',
    value: null,
    reason,
    remedy,
  };
}

const LINK_KINDS: readonly unknown[] = ['paper', 'paper_service', 'live'];

/** Whether the link names a kind that there is, or nothing at all. */
function hasKnownLink(value: unknown): boolean {
  const link = (value as { link?: { kind?: unknown } | null } | null)?.link;
  return link?.kind === undefined || LINK_KINDS.includes(link.kind);
}
