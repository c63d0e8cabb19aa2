import { reasonOf } from '../../env/index.ts';
import { endAll, inTurn } from '../../runtime/index.ts';
import { failed, type RunFailure, type RunResult } from './RunFailure.ts';

/**
 * Runs, then always ends. If the end fails too, the run's failure is still the first in the message.
 *
 * @param end receives the failure of the run, unless it succeeded
 */
export async function withEnding<T>(
  end: (failure?: RunFailure) => Promise<void>,
  run: () => Promise<RunResult<T>>,
): Promise<RunResult<T>> {
  let result: RunResult<T> | undefined;
  let failure: RunFailure | undefined;
  const runFirst = async (): Promise<void> => {
    try {
      result = await run();
      if (!result.ok) failure = result.failure;
    } catch (error) {
      failure = { code: 'TRIMTAB_UNEXPECTED', message: reasonOf(error) };
      throw error;
    }
  };
  try {
    await endAll([runFirst, () => end(failure)]);
  } catch (error) {
    if (result === undefined || result.ok) throw error;
    return failed(result.failure.code, inTurn([result.failure.message, reasonOf(error)]));
  }
  return result!;
}
