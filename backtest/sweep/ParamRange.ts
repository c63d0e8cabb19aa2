/** A parameter and the values that a sweep tries, as written after `--param`. */
export interface ParamRange {
  /** `NAME`, or `STRATEGY.NAME` if there are several strategies. */
  name: string;
  /** Each as YAML: a text that would be read as something else has double quotes. */
  values: readonly string[];
}

/** A value for a reader: a text without the quotes that keep it one. */
export function shownValue(value: string): string {
  if (!/^".*"$/.test(value)) return value;
  try {
    const text: unknown = JSON.parse(value);
    return typeof text === 'string' && !/\p{Cc}/u.test(text) ? text : value;
  } catch {
    return value;
  }
}

export type ParamRangeResult = { ok: true; range: ParamRange } | { ok: false; reason: string };

const RANGE = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?$/;
/** Matches a range; paths and lists have dots too. */
const NO_RANGE = /^[^./\\,]+\.\.[^/\\,]*$/;
/** A remedy that is longer is left to its reader. */
const MOST_SHOWN = 20;
/** More steps than this are a typing error. */
const MOST_VALUES = 100_000;

/**
 * Reads `fast=5..50:5` or `mode=a,b,c`. Both ends of a range are included, and a step that misses the
 * last is refused; it is 1 if none is given.
 */
export function parseParamRange(text: string): ParamRangeResult {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) return { ok: false, reason: 'it is not NAME=VALUES' };
  const values = parseValues(text.slice(at + 1));
  if ('reason' in values) return { ok: false, reason: values.reason };
  return { ok: true, range: { name: text.slice(0, at), values: values.list } };
}

/** Reads the values alone: `5..50:5`, `a,b,c`, or one. */
export function parseValues(text: string): { list: string[] } | { reason: string } {
  const match = RANGE.exec(text.trim());
  if (match === null) return NO_RANGE.test(text) ? { reason: 'not a range' } : parseList(text);
  const [, first = '', last = '', step = '1'] = match;
  const [from, to, by] = [Number(first), Number(last), Number(step)];
  if (by === 0) return { reason: 'its step is 0' };
  if (from > to) return { reason: `it decreases from ${first} to ${last}` };
  const decimals = Math.max(...[first, step].map((each) => each.split('.')[1]?.length ?? 0));
  // A small part of a step may be missing through float division.
  const count = Math.floor((to - from) / by + 1e-9) + 1;
  if (count > MOST_VALUES) return { reason: `it has ${count} values` };
  const at = (index: number): string => String(Number((from + index * by).toFixed(decimals)));
  const list = Array.from({ length: count }, (_none, index) => at(index));
  // Both ends are included: a step that misses the last one is a mistake.
  const rest = (to - from) / by - (count - 1);
  if (rest <= 1e-6) return { list };
  if (count === 1) return { reason: `its step ${step} leaves only ${at(0)}; use a smaller one` };
  const ends = `end it at ${at(count - 1)} or ${at(count)}`;
  return { reason: `its step ${step} misses its end ${last}: it has ${shown(list)}; ${ends}` };
}

function shown(list: readonly string[]): string {
  return list.length < 8 ? list.join(', ') : `${list.slice(0, 4).join(', ')} … ${list.at(-1)}`;
}

function parseList(text: string): { list: string[] } | { reason: string } {
  const list = text.split(',').map((value) => value.trim());
  if (list.includes('')) return { reason: 'one of its values is empty' };
  const reason = explainList(list);
  return reason === undefined ? { list } : { reason };
}

/**
 * Why a list of values is refused: a range among them would be tried as a text, and a value that is there twice would be two
 * trials of one. Undefined if it is fine.
 */
export function explainList(list: readonly string[]): string | undefined {
  return explainMix(list) ?? explainTwice(list);
}

function explainTwice(list: readonly string[]): string | undefined {
  const seen = new Map<string | number, string>();
  for (const given of list) {
    const value = shownValue(given);
    const number = value.trim() === '' ? NaN : Number(value);
    const key = Number.isNaN(number) ? value : number;
    const before = seen.get(key);
    if (before === value) return `it has ${value} twice`;
    if (before !== undefined) return `it has ${before} twice, once as ${value}`;
    seen.set(key, value);
  }
  return undefined;
}

function explainMix(list: readonly string[]): string | undefined {
  const range = list.find((value) => RANGE.test(value));
  if (range === undefined) return undefined;
  const spread = list.flatMap((value) => {
    const read = parseValues(value);
    return 'list' in read ? read.list : [value];
  });
  const all = [...new Set(spread)];
  const remedy = all.length <= MOST_SHOWN ? `: ${all.join(',')}` : '';
  return `it has the range ${range} in a list; list each value instead${remedy}`;
}
