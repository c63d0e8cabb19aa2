import { differenceOf } from '../../src/paper/index.ts';
import { sourceDifference } from './SourceMark.ts';
import type { SweepPlan } from './SweepPlan.ts';

/** What differs between two plans, as what the first one is: `other code: inner.ts has changed`. */
export function planDifference(saved: SweepPlan, now: SweepPlan): string {
  const names = otherNames(saved, now);
  if (names.length === 0) {
    const sources = sourceDifference(saved.sources, now.sources);
    if (sources !== null) return `other code: ${sources}`;
    const tape = differenceOf(saved.tape, now.tape);
    if (tape !== null) return `other data: ${tape}`;
  }
  const seed = (plan: SweepPlan): string => plan.seed ?? 'none';
  if (names.length === 1 && names[0] === 'seed') {
    return `another seed: ${seed(saved)}, not ${seed(now)}`;
  }
  return `another sweep: other ${names.join(', ') || 'values'}`;
}

/** Beside code and tape: what a different sweep differs in. */
const NAMES = {
  configHash: 'configuration',
  feeds: '--feed',
  set: '--set',
  seed: 'seed',
  params: 'parameters',
  random: '--random',
  range: '--timerange',
  walk: 'walk-forward',
  objective: 'objective',
} as const satisfies Partial<Record<keyof SweepPlan, string>>;

function otherNames(saved: SweepPlan, now: SweepPlan): string[] {
  return Object.entries(NAMES).flatMap(([key, name]) => {
    const [a, b] = [saved, now].map((plan) => JSON.stringify(plan[key as keyof typeof NAMES]));
    return a === b ? [] : [name];
  });
}
