import type { z } from 'zod';
import { withCode } from '../../contract/index.ts';

/**
 * An indicator's parameters with its defaults filled in, frozen: each subscription's kernel gets the same object.
 *
 * @throws RangeError that names each parameter that doesn't fit, its value, and what the indicator takes
 */
export function checkIndicatorParams(
  name: string,
  schema: z.ZodObject,
  given: unknown,
): Readonly<Record<string, unknown>> {
  // Strict, so that a misspelt parameter is a fault and not silently a default.
  const parsed = schema.strict().safeParse(given ?? {});
  if (parsed.success) return Object.freeze(parsed.data);
  const faults = parsed.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `it has no ${issue.keys.join(', ')}`;
    const path = issue.path.map(String);
    return path.length === 0
      ? issue.message
      : `${path.join('.')} is ${shown(valueAt(given, path))}: ${issue.message}`;
  });
  const takes = Object.keys(schema.shape).join(', ') || 'none';
  throw withCode(
    'TRIMTAB_INDICATOR_PARAMETER',
    new RangeError(`Parameters of ${name}: ${faults.join('; ')}. It takes ${takes}.`),
  );
}

function valueAt(given: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | null | undefined)?.[key],
    given,
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
