import { createPointThreads, type PointThreads } from '../createPointThreads.ts';
import { loadPlanData } from '../loadPlanData.ts';
import type { SweepJob, SweepPlan } from '../SweepPlan.ts';
import { otherVersion } from './otherVersion.ts';
import { readSignedSweep } from './signSweep.ts';

export interface PrepareOptions {
  /** Public keys whose plans it takes. */
  trusted: readonly string[];
  /** Path of the configuration on this machine; default: that of the plan. */
  config: string | null;
}

/**
 * Checks a stored sweep and loads what it needs on this machine.
 *
 * @throws if it is not signed by a trusted key, is of another version, or its code or data differ here
 */
export async function prepareSweep(
  stored: string,
  { trusted, config }: PrepareOptions,
): Promise<PointThreads> {
  const shared = readSignedSweep(stored, trusted);
  const strange = otherVersion('plan', shared.plan);
  if (strange !== null) throw new Error(strange);
  const plan = { ...shared.plan, config: config ?? shared.plan.config };
  const threads = createPointThreads(plan, await loadPlanData(plan));
  return {
    ...threads,
    async run(job) {
      requireOfPlan(plan, job);
      return threads.run(job);
    },
  };
}

/** Only the plan is signed: a stored point may have nothing that is not in it. */
function requireOfPlan({ params }: SweepPlan, job: SweepJob): void {
  const strange = otherVersion('job', job);
  if (strange !== null) throw new Error(strange);
  const isOfPlan =
    Number.isSafeInteger(job.index) &&
    job.values.length === params.length &&
    params.every(({ values }, index) => values.includes(job.values[index]!));
  if (!isOfPlan) throw new Error(`The plan has no point with ${job.values.join(', ')}.`);
}
