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
import { overridesOf } from './runPoint.ts';
import { sourceDifference, sourceFilesOf, type SourceFile } from './SourceMark.ts';
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
 * @param loaded digests of the code that this process has imported, by path: a process keeps what it
 *   imported first, so it would not run a file that has changed since
 * @throws if the configuration, the code or the tape differs or can't be read
 */
export async function loadPlanData(
  plan: SweepPlan,
  loaded: Map<string, string> = new Map(),
): Promise<MarketData> {
  if ((await configHashOf(plan.config)) !== plan.configHash) {
    throw new Error(`${plan.config} is not the configuration that the sweep was started with.`);
  }
  const values = plan.params.map(({ values: [first = ''] }) => first);
  const read = await loadConfig(plan.config, { overrides: overridesOf(plan, { values }) });
  if (!read.ok) throw new Error(`${plan.config}: ${read.faults[0]?.reason}.`);
  const sources = sourceFilesOf(read.config);
  const changed = sourceDifference(plan.sources, sources);
  if (changed !== null) {
    throw new Error(
      `The code differs here: ${changed}. Copy the files of the sweep's machine here.`,
    );
  }
  requireLoaded(sources, loaded);
  const data = await loadMarketData((read.config.link as PaperLinkConfig).paper);
  if (!data.ok) throw new Error(describeFeedProblem(data.problem));
  const difference = differenceOf(plan.tape, tapeOf(data.value));
  if (difference !== null) throw new Error(`The tape differs here: ${difference}.`);
  return data.value;
}

function requireLoaded(sources: readonly SourceFile[], loaded: Map<string, string>): void {
  for (const { name, path, digest } of sources) {
    const key = path ?? name;
    const before = loaded.get(key) ?? digest;
    if (before === digest) continue;
    throw new Error(`${name} has changed since this process loaded it. Start the worker again.`);
  }
  for (const { name, path, digest } of sources) loaded.set(path ?? name, digest);
}
