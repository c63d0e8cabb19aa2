import { reasonOf } from '../../env/index.ts';
import { endAll, inTurn } from '../../runtime/index.ts';
import { failed, type RunResult } from './RunFailure.ts';

/** Runs, then always ends. If the end fails too, the run's failure is still the first in the message. */
export async function withEnding<T>(
  end: () => Promise<void>,
  run: () => Promise<RunResult<T>>,
): Promise<RunResult<T>> {
  let result: RunResult<T> | undefined;
  try {
    await endAll([async () => void (result = await run()), end]);
  } catch (error) {
    if (result === undefined || result.ok) throw error;
    return failed(result.failure.code, inTurn([result.failure.message, reasonOf(error)]));
  }
  return result!;
}
