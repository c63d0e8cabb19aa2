import { isDeepStrictEqual, types } from 'node:util';
import { isMap } from '../contract/isMap.ts';

/** Where a value is not as expected. */
export interface Difference {
  /** Dotted path, such as `[0].request.size`; empty for the value itself. */
  path: string;
  expected: unknown;
  actual: unknown;
}

/**
 * The first place at which a value lacks what is expected of it: plain objects may have more fields than expected,
 * lists are of equal length, errors have the expected name, message and code, everything else is equal.
 */
export function findDifference(
  actual: unknown,
  expected: unknown,
  path = '',
): Difference | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return { path, expected, actual };
    for (const [index, each] of expected.entries()) {
      const at = `${path}[${index}]`;
      if (index >= actual.length) return { path: at, expected: each, actual: undefined };
      const found = findDifference(actual[index], each, at);
      if (found !== undefined) return found;
    }
    if (actual.length === expected.length) return undefined;
    const at = `${path}[${expected.length}]`;
    return { path: at, expected: undefined, actual: actual[expected.length] };
  }
  if (isMatcher(expected)) {
    return expected.asymmetricMatch(actual) ? undefined : { path, expected, actual };
  }
  if (types.isNativeError(expected)) {
    return isSameError(actual, expected) ? undefined : { path, expected, actual };
  }
  if (!isPlain(expected)) {
    return isDeepStrictEqual(actual, expected) ? undefined : { path, expected, actual };
  }
  if (!isMap(actual)) return { path, expected, actual };
  for (const [name, each] of Object.entries(expected)) {
    const at = path === '' ? name : `${path}.${name}`;
    const found = findDifference(actual[name], each, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A date, a map or an error has no fields of its own to compare. Test runners have an `Object` of their own. */
export function isPlain(value: unknown): value is Fields {
  if (!isMap(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Stacks differ always; an expected error without a code may have any. */
function isSameError(actual: unknown, expected: Error & { code?: unknown }): boolean {
  if (!types.isNativeError(actual)) return false;
  const { name, message, code = (actual as { code?: unknown }).code } = expected;
  return isDeepStrictEqual(
    [actual.name, actual.message, (actual as { code?: unknown }).code],
    [name, message, code],
  );
}

/** What test runners put in place of a value: `expect.any(Number)`, `expect.closeTo(…)`. */
interface Matcher {
  asymmetricMatch(actual: unknown): boolean;
}

/** Whether a runner's placeholder takes the place of a value. */
export const isMatcher = (value: unknown): value is Matcher =>
  isMap(value) && typeof value['asymmetricMatch'] === 'function';
