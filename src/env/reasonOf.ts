import { inspect } from 'node:util';

/** Enough of a value to recognize it by. */
const SHOWN = { depth: 1, maxStringLength: 80, maxArrayLength: 5, breakLength: Infinity } as const;

/** The message of whatever was thrown, as one short line. A value that is no Error has none, and no stack either. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return `${inspect(thrown, SHOWN)} was thrown, which is not an Error, so its line is unknown`;
}
