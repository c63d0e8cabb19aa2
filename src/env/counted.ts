/** `1 intent`, `2 intents`, `0 intents`: a count with its noun, for people. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
