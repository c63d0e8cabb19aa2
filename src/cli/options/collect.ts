/** A repeatable flag: every value, in the order given. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}
