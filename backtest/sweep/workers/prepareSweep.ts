import { dirname, join } from 'node:path';
import type { SweepCache } from '../content/openCache.ts';
import { requireInside } from '../content/packFolder.ts';
import { createPointThreads, type PointThreads } from '../createPointThreads.ts';
import { FinalRefusal } from '../FinalRefusal.ts';
import { loadPlanData } from '../loadPlanData.ts';
import { isRun } from '../PointResult.ts';
import type { SweepJob, SweepPlan } from '../SweepPlan.ts';
import { otherVersion } from './otherVersion.ts';
import { readSignedSweep, type SharedSweep } from './signSweep.ts';

export interface PrepareOptions {
  /** Public keys whose plans it takes. */
  trusted: readonly string[];
  /** Path of the configuration on this machine; default: that of the plan, or the fetched one. */
  config: string | null;
  cache: SweepCache;
}

/**
 * Checks a stored sweep and loads what it needs: from this machine's files, or from where the plan says.
 *
 * @throws FinalRefusal if it is not signed by a trusted key, is of another version, or its code or data differ;
 *   anything else if they can't be had now
 */
export async function prepareSweep(
  stored: string,
  { trusted, config, cache }: PrepareOptions,
): Promise<PointThreads> {
  const shared = readSignedSweep(stored, trusted);
  const strange = otherVersion('plan', shared.plan);
  if (strange !== null) throw new FinalRefusal(strange);
  const folder =
    config !== null || shared.content === null ? null : await cache.prepare(shared.content);
  const plan = { ...shared.plan, ...placesOf(shared, { folder, config }) };
  const threads = createPointThreads(await loadPlanData(plan));
  const [here, there] = [dirname(plan.config), dirname(shared.plan.config)];
  return {
    ...threads,
    async run(job) {
      requireOfPlan(plan, job);
      if (folder !== null) await cache.touch(folder);
      const computed = await threads.run(job);
      const { result } = computed;
      // The same fault has the same words wherever it happens.
      if (isRun(result)) return computed;
      return { ...computed, result: { ...result, fault: result.fault.replaceAll(here, there) } };
    },
  };
}

/** Paths of the plan on this machine. */
function placesOf(
  { plan, content }: SharedSweep,
  { folder, config }: { folder: string | null; config: string | null },
): Pick<SweepPlan, 'config' | 'feeds'> {
  if (folder === null || content === null)
    return { config: config ?? plan.config, feeds: plan.feeds };
  const feeds = content.flags.map((text) => {
    const at = text.indexOf('=') + 1;
    return text.slice(0, at) + join(folder, requireInside(text.slice(at)));
  });
  return { config: join(folder, requireInside(content.config)), feeds };
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
