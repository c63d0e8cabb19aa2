import type { FailureCode } from './FAILURES.ts';

/** Adds the code to an error that a program catches, in Node's usual place: `error.code`. */
export function withCode<T extends Error>(code: FailureCode, error: T): T & { code: FailureCode } {
  return Object.assign(error, { code });
}
