import type { z } from 'zod';
import { issueText, withCode } from '../../contract/index.ts';

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
    const path = issue.path.map(String).join('.');
    return `${path}${path && ': '}${issueText(issue, given)}`;
  });
  const takes = Object.keys(schema.shape).join(', ') || 'none';
  throw withCode(
    'TRIMTAB_INDICATOR_PARAMETER',
    new RangeError(`Parameters of ${name}: ${faults.join('; ')}. It takes ${takes}.`),
  );
}
