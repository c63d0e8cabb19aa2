import { configFailures } from './configFailures.ts';
import { journalFailures } from './journalFailures.ts';
import { runFailures } from './runFailures.ts';
import { strategyFailures } from './strategyFailures.ts';

/**
 * Every failure that is not a response of the service (those have its error codes): a stable code, its
 * meaning and the remedy. `docs/errors.md` is this table, with an anchor for each code.
 */
export const FAILURES = {
  ...configFailures,
  ...strategyFailures,
  ...journalFailures,
  ...runFailures,
} as const;

export type FailureCode = keyof typeof FAILURES;

export function isFailureCode(value: unknown): value is FailureCode {
  return typeof value === 'string' && Object.hasOwn(FAILURES, value);
}

/** Where a code is explained: `docs/errors.md#trimtab_config_unknown_key`. */
export function failureAnchor(code: FailureCode): string {
  return `docs/errors.md#${code.toLowerCase()}`;
}
