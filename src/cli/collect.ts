/** A flag that may be given again and again: every value, in the order given. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}
