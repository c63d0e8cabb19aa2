/** A field that differs between two values; its path, from the outside in. */
export interface Difference {
  path: string;
  first: unknown;
  second: unknown;
}

/** Differences that are reported; more of them have nothing new. */
export const MOST_REPORTED = 5;

/** The first fields that differ, at most five, in their order. */
export const findDifference = (first: unknown, second: unknown): Difference[] =>
  findDifferences(first, second).slice(0, MOST_REPORTED);

/** All fields that differ, in their order. */
export function findDifferences(first: unknown, second: unknown, path = ''): Difference[] {
  if (Object.is(first, second)) return [];
  if (!isHolder(first) || !isHolder(second)) return [{ path, first, second }];
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return names.flatMap((name) =>
    findDifferences(first[name], second[name], path === '' ? name : `${path}.${name}`),
  );
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
