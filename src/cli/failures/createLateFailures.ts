import { CommandFailure } from './CommandFailure.ts';
import { explainFailure } from './explainFailure.ts';

/** What fails once a run is over takes none of its outputs with it: it is thrown after them. */
export interface LateFailures {
  /** @returns undefined where the work failed */
  of<T>(work: () => T | Promise<T>): Promise<T | undefined>;
  /**
   * The last work: what it throws decides on the exit code, and what failed before is written to stderr beside it. Where
   * it throws nothing, the first of those failures is thrown.
   */
  end(work: () => void | Promise<void>): Promise<void>;
}

export function createLateFailures(): LateFailures {
  const failures: CommandFailure[] = [];
  const write = (failure: CommandFailure): void =>
    void process.stderr.write(explainFailure(failure, false).text);
  return {
    async of(work) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error;
        failures.push(error);
        return undefined;
      }
    },
    async end(work) {
      try {
        await work();
      } catch (error) {
        failures.forEach(write);
        throw error;
      }
      const [first, ...others] = failures;
      others.forEach(write);
      if (first !== undefined) throw first;
    },
  };
}
