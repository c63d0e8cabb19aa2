import { loadConfigText, type BotConfig } from '../../src/config/index.ts';
import { overridesOf } from './runPoint.ts';
import type { SweepBench } from './SweepBench.ts';

/**
 * The bot of a plan, with the first value of each parameter.
 *
 * @throws if its configuration can't be loaded here
 */
export async function configOfPlan({
  plan,
  text,
}: Pick<SweepBench, 'plan' | 'text'>): Promise<BotConfig> {
  const values = plan.params.map(({ values: [first = ''] }) => first);
  const read = await loadConfigText(plan.config, text, {
    overrides: overridesOf(plan, { values }),
  });
  if (read.ok) return read.config;
  throw new Error(`${plan.config}: ${read.faults[0]?.reason}.`);
}
