/**
 * Without the fields that are undefined. Before options are spread over their defaults: a field that is given as
 * undefined, which most projects' compilers allow, would switch its default off.
 */
export function withoutUndefined<T extends object>(
  given: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const fields = Object.entries({ ...given }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as { [K in keyof T]: Exclude<T[K], undefined> };
}
