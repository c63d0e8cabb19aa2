import type { FailureCode } from '../../contract/index.ts';

/** Why a run could not start or continue: a message for the operator, with its location. */
export interface RunFailure {
  code: FailureCode;
  message: string;
  /** What flags of the command line alone are to blame for. */
  isOfFlags?: boolean;
}

export type RunResult<T> = { ok: true; value: T } | { ok: false; failure: RunFailure };

export function failed<T>(code: FailureCode, message: string): RunResult<T> {
  return { ok: false, failure: { code, message } };
}
