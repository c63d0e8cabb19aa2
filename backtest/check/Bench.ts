import type { LoadedTape } from '../../src/operate/run/index.ts';
import type { Finding } from './Finding.ts';
import type { CheckedRun, RunIntentsOptions } from './runIntents.ts';

/** What one check works with: the tape, a run on it under other conditions, and where to tell. */
export interface Bench {
  tape: LoadedTape;
  /** When trading begins, epoch milliseconds; undefined for the first bar after the warm-up. */
  startTime: number | undefined;
  /** The bot as it is configured. */
  base: CheckedRun;
  /** @param what it is for, as it is shown while it runs */
  run(what: string, more?: Partial<RunIntentsOptions>): Promise<CheckedRun>;
  findings: Finding[];
  /** What could not be checked, and what is worth knowing but no fault. */
  notes: string[];
}
