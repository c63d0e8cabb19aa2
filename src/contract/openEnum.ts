import { z } from 'zod';

/**
 * A closed vocabulary in our types that stays open on the wire: a value that a newer service adds is
 * passed on and never a crash (ERR-2). Requests use `z.enum` instead, because we define what we send.
 */
export type OpenEnum<T extends string> = T | (string & Record<never, never>);

/** Schema of an {@link OpenEnum}: checks that it is a string, documents the known values. */
export function openEnum<const T extends readonly [string, ...string[]]>(
  known: T,
): z.ZodType<OpenEnum<T[number]>> {
  return z.string().meta({ examples: [...known] }) as unknown as z.ZodType<OpenEnum<T[number]>>;
}
