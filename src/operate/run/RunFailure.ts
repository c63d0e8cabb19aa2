/** Why a run could not start or go on: a message for the person at the terminal, with its place. */
export interface RunFailure {
  message: string;
}

export type RunResult<T> = { ok: true; value: T } | { ok: false; failure: RunFailure };

export function failed<T>(message: string): RunResult<T> {
  return { ok: false, failure: { message } };
}
