import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { reasonOf } from '../env/index.ts';
import { isPlain } from './freezeDeeply.ts';

export const LOSS_REMEDY =
  'Keep what JSON holds, such as a date as milliseconds and a map or a set as a list; transform it outside of the schema.';

/**
 * Why a state would be another one after a restart, which reads it from JSON and through its schema again; undefined
 * if it comes back as it is. A field that is undefined may be missing then, and -0 may be 0.
 *
 * @param given what the schema made the state of
 */
export function explainLoss(schema: z.ZodType, state: unknown, given: unknown): string | undefined {
  const what = 'would be another one after a restart, which reads it from JSON';
  try {
    // What a schema leaves as it is, it leaves so again: most states are not read a second time.
    if (isJson(state) && differenceOf(state, given) === undefined) return undefined;
    const { back } = JSON.parse(JSON.stringify({ back: state })) as { back?: unknown };
    const parsed = schema.safeParse(back);
    const path = parsed.success
      ? differenceOf(state, parsed.data)
      : (parsed.error.issues[0]?.path.map(String) ?? []);
    if (path === undefined) return undefined;
    return path.length === 0 ? what : `${what}: ${path.join('.')} changes`;
  } catch (error) {
    return `${what} (${reasonOf(error)})`;
  }
}

/** The path to the first difference; undefined if there is none. */
function differenceOf(one: unknown, other: unknown): string[] | undefined {
  if (one === other) return undefined;
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other))
    return isDeepStrictEqual(one, other) ? undefined : [];
  // By index, since a long list may be set at each bar.
  if (Array.isArray(one) && Array.isArray(other)) {
    for (let at = 0; at < Math.max(one.length, other.length); at++) {
      const found = differenceOf(one[at], other[at]);
      if (found !== undefined) return [String(at), ...found];
    }
    return undefined;
  }
  for (const key in one) {
    const found = differenceOf(one[key], other[key]);
    if (found !== undefined) return [key, ...found];
  }
  for (const key in other) if (!(key in one) && other[key] !== undefined) return [key];
  return undefined;
}

/** Whether JSON holds a value as it is: it leaves out a field that is undefined, which not every schema allows. */
function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return !value.includes(undefined) && value.every(isJson);
  if (isPlain(value)) return Object.values(value).every(isJson);
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    Number.isFinite(value)
  );
}
