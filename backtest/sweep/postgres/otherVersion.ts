import type { SweepJob, SweepPlan } from '../SweepPlan.ts';

const PLAN = {
  config: true,
  configHash: true,
  sources: true,
  feeds: true,
  set: true,
  seed: true,
  params: true,
  random: true,
  range: true,
  walk: true,
  objective: true,
  tape: true,
} satisfies Record<keyof SweepPlan, true>;

const JOB = {
  index: true,
  values: true,
  range: true,
  window: true,
  part: true,
} satisfies Record<keyof SweepJob, true>;

/**
 * What of a stored sweep another version of Trimtab wrote, in words; null where nothing is. A field that
 * is missing would be read as one that was left open, and a field that nobody knows as none: the point
 * would be another than the one that was asked for.
 */
export function otherVersion({ plan, job }: { plan: object; job: object }): string | null {
  const difference = differenceOf('plan', plan, PLAN) ?? differenceOf('job', job, JOB);
  if (difference === null) return null;
  const remedy = 'Start the sweep again with this one, or work on it with that one.';
  return `It was stored by another version of Trimtab: ${difference}. ${remedy}`;
}

function differenceOf(part: string, stored: object, known: object): string | null {
  const lacking = Object.keys(known).find((name) => !(name in stored));
  if (lacking !== undefined) return `its ${part} has no ${lacking}`;
  const strange = Object.keys(stored).find((name) => !(name in known));
  return strange === undefined ? null : `its ${part} has ${strange}, which is not known here`;
}
