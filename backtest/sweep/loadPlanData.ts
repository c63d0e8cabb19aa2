import { readFile } from 'node:fs/promises';
import type { PaperLinkConfig } from '../../src/config/index.ts';
import { sha256 } from '../../src/env/index.ts';
import {
  describeFeedProblem,
  differenceOf,
  loadMarketData,
  tapeOf,
} from '../../src/paper/index.ts';
import { configOfPlan } from './configOfPlan.ts';
import { FinalRefusal } from './FinalRefusal.ts';
import { sourceDifference, sourceFilesOf } from './SourceMark.ts';
import type { SweepBench } from './SweepBench.ts';
import { valuesOf, type SweepPlan } from './SweepPlan.ts';

/** Digest of a configuration's text: a worker must compute exactly the same bot. */
export const configHashOf = (text: string): string => sha256(text);

/**
 * Configuration and market data of a plan from this machine's files, which must be those of the plan.
 *
 * @throws FinalRefusal if the configuration, the code or the tape differs; anything else if they can't be read
 */
export async function loadPlanData(plan: SweepPlan): Promise<SweepBench> {
  const text = await readFile(plan.config, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const remedy =
      'Name its path here with --config, or start the sweep with --serve or --content, which bring it.';
    throw new Error(`${plan.config} can't be read (${error.code}).\n  ${remedy}`, { cause: error });
  });
  if (configHashOf(text) !== plan.configHash) {
    throw new FinalRefusal(
      `${plan.config} is not the configuration that the sweep was started with.`,
    );
  }
  const config = await configOfPlan({ plan, text });
  const changed = sourceDifference(plan.sources, sourceFilesOf(config, valuesOf(plan)));
  if (changed !== null) {
    throw new FinalRefusal(
      `The code differs here: ${changed}. Copy the files of the sweep's machine here, or start it with --serve.`,
    );
  }
  const data = await loadMarketData((config.link as PaperLinkConfig).paper);
  if (!data.ok) throw new Error(describeFeedProblem(data.problem));
  const difference = differenceOf(plan.tape, tapeOf(data.value));
  if (difference !== null) throw new FinalRefusal(`The tape differs here: ${difference}.`);
  return { plan, text, data: data.value };
}
