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
 * The part of a stored plan or job that another version of Trimtab wrote, in words; null if there is none. A
 * missing field would be read as unset, and an unknown field would be ignored: the point would differ
 * from the requested one.
 */
export function otherVersion(part: 'plan' | 'job', stored: object): string | null {
  const difference = differenceOf(part, stored, part === 'plan' ? PLAN : JOB);
  if (difference === null) return null;
  const remedy = 'Start the sweep again with this version, or run the worker with that one.';
  return `It was stored by another version of Trimtab: ${difference}. ${remedy}`;
}

function differenceOf(part: string, stored: object, known: object): string | null {
  const lacking = Object.keys(known).find((name) => !(name in stored));
  if (lacking !== undefined) return `its ${part} has no ${lacking}`;
  const strange = Object.keys(stored).find((name) => !(name in known));
  return strange === undefined
    ? null
    : `its ${part} has ${strange}, which this version does not know`;
}
