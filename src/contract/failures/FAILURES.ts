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

/** A reader's own project has the page below its modules. */
const DOCS = import.meta.url.includes('/node_modules/trimtab/')
  ? 'node_modules/trimtab/docs'
  : 'docs';

/** Where a code is explained: `docs/errors.md#trimtab_config_unknown_key`, as an installed package too. */
export function failureAnchor(code: FailureCode): string {
  return `${DOCS}/errors.md#${code.toLowerCase()}`;
}
