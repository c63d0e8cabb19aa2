import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { loadConfig, type PaperLinkConfig } from '../../src/config/index.ts';
import {
  describeFeedProblem,
  differenceOf,
  loadMarketData,
  tapeOf,
  type MarketData,
} from '../../src/paper/index.ts';
import { FinalRefusal } from './FinalRefusal.ts';
import { overridesOf } from './runPoint.ts';
import { sourceDifference, sourceFilesOf } from './SourceMark.ts';
import type { SweepPlan } from './SweepPlan.ts';

/** Digest of a configuration's text: a worker must compute exactly the same bot. */
export async function configHashOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/**
 * The market data of a plan from this machine's files, which must be those of the plan.
 *
 * @throws FinalRefusal if the configuration, the code or the tape differs; anything else if they can't be read
 */
export async function loadPlanData(plan: SweepPlan): Promise<MarketData> {
  const hash = await configHashOf(plan.config).catch((error: NodeJS.ErrnoException) => {
    const remedy =
      'Name its path here with --config, or start the sweep with --serve or --content, which bring it.';
    throw new Error(`${plan.config} can't be read (${error.code}).\n  ${remedy}`, { cause: error });
  });
  if (hash !== plan.configHash) {
    throw new FinalRefusal(
      `${plan.config} is not the configuration that the sweep was started with.`,
    );
  }
  const values = plan.params.map(({ values: [first = ''] }) => first);
  const read = await loadConfig(plan.config, { overrides: overridesOf(plan, { values }) });
  if (!read.ok) throw new Error(`${plan.config}: ${read.faults[0]?.reason}.`);
  const changed = sourceDifference(plan.sources, sourceFilesOf(read.config));
  if (changed !== null) {
    throw new FinalRefusal(
      `The code differs here: ${changed}. Copy the files of the sweep's machine here, or start it with --serve.`,
    );
  }
  const data = await loadMarketData((read.config.link as PaperLinkConfig).paper);
  if (!data.ok) throw new Error(describeFeedProblem(data.problem));
  const difference = differenceOf(plan.tape, tapeOf(data.value));
  if (difference !== null) throw new FinalRefusal(`The tape differs here: ${difference}.`);
  return data.value;
}
