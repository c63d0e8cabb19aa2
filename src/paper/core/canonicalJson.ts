import { isMap } from '../../contract/isMap.ts';

/** JSON with sorted keys: equal for values that differ only in the order of their fields. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (isMap(part) ? sorted(part) : part));
}

function sorted(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}
