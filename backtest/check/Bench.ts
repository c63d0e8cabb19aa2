import type { LoadedTape } from '../../src/operate/run/index.ts';
import type { CheckName, Finding } from './Finding.ts';
import type { CheckedRun, RunIntentsOptions } from './runIntents.ts';

/**
 * Input of one check: the tape, a function that runs it under other conditions, and the output for notes.
 */
export interface Bench {
  tape: LoadedTape;
  /** When trading begins, epoch milliseconds; undefined for the first bar after the warm-up. */
  startTime: number | undefined;
  /** The run of the bot as it is configured. */
  base: CheckedRun;
  /** @param its purpose, shown while it runs */
  run(what: string, more?: Partial<RunIntentsOptions>): Promise<CheckedRun>;
  findings: Finding[];
  /** What could not be checked, and facts that are worth knowing but are not faults. */
  notes: string[];
  /** Checks that compared nothing, with the reason and the remedy: "nothing found" would be untrue of them. */
  unchecked: Map<CheckName, string>;
}
