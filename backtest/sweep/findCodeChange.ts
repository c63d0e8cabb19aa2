import { withCode } from '../../src/contract/index.ts';
import { reasonOf, withFullStop } from '../../src/env/index.ts';
import { configOfPlan } from './configOfPlan.ts';
import { FinalRefusal } from './FinalRefusal.ts';
import { sourceDifference, sourceFilesOf } from './SourceMark.ts';
import type { SweepBench } from './SweepBench.ts';
import { valuesOf } from './SweepPlan.ts';

/** What a thread says instead of a result: why its code is not that of the plan, as a sentence. */
export interface CodeChange {
  changed: string;
}

/**
 * What a new thread would import otherwise than the plan says: modules are loaded anew in each. Null if nothing.
 */
export async function findCodeChange(bench: SweepBench): Promise<CodeChange | null> {
  try {
    const now = sourceFilesOf(await configOfPlan(bench), valuesOf(bench.plan));
    const changed = sourceDifference(bench.plan.sources, now);
    return changed === null
      ? null
      : { changed: `The code changed while the sweep ran: ${changed}` };
  } catch (error) {
    return { changed: `The code can't be read any more while the sweep runs: ${reasonOf(error)}` };
  }
}

/** The end of a sweep whose code has changed: its other points would be of another bot. */
export function codeChanged({ changed }: CodeChange): Error {
  const error = new FinalRefusal(
    `${withFullStop(changed)}\n` +
      '  What was computed before is kept. Undo the change, and the same command resumes; or start the sweep again with another --out.',
  );
  return withCode('TRIMTAB_SWEEP_CODE_CHANGED', error);
}
