import type { FailureCode } from './FAILURES.ts';

/** Gives an error that is thrown at a program its code, where programs of Node look for it: `error.code`. */
export function withCode<T extends Error>(code: FailureCode, error: T): T & { code: FailureCode } {
  return Object.assign(error, { code });
}
