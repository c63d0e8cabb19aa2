/** A field that differs between two values; its path, from the outside in. */
export interface Difference {
  path: string;
  first: unknown;
  second: unknown;
}

const MOST = 5;

/** The first fields that differ, at most five, in their order. */
export function findDifference(first: unknown, second: unknown, path = ''): Difference[] {
  if (Object.is(first, second)) return [];
  if (!isHolder(first) || !isHolder(second)) return [{ path, first, second }];
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return names
    .flatMap((name) =>
      findDifference(first[name], second[name], path === '' ? name : `${path}.${name}`),
    )
    .slice(0, MOST);
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
