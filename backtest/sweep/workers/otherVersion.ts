import { isMap } from '../../../src/contract/isMap.ts';
import type { SweepJob, SweepPlan } from '../SweepPlan.ts';

/** What a field may hold, in words and as a check. */
type Kind = readonly [words: string, fits: (value: unknown) => boolean];

const isText = (value: unknown): boolean => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const orNull = ([words, fits]: Kind): Kind => [
  `${words} or null`,
  (value) => value === null || fits(value),
];
const TEXT: Kind = ['text', isText];
const COUNT: Kind = ['a whole number', isCount];
const MAP: Kind = ['a map', isMap];
const TEXTS: Kind = [
  'a list of texts',
  (value) => Array.isArray(value) && value.every((each) => isText(each)),
];
const MAPS: Kind = [
  'a list of maps',
  (value) => Array.isArray(value) && value.every((each) => isMap(each)),
];

const PLAN = {
  config: TEXT,
  configHash: TEXT,
  sources: MAPS,
  feeds: TEXTS,
  set: TEXTS,
  seed: orNull(TEXT),
  params: MAPS,
  random: orNull(COUNT),
  range: MAP,
  walk: orNull(MAP),
  objective: TEXT,
  tape: MAPS,
} satisfies Record<keyof SweepPlan, Kind>;

const JOB = {
  index: COUNT,
  values: TEXTS,
  range: MAP,
  window: orNull(COUNT),
  part: TEXT,
} satisfies Record<keyof SweepJob, Kind>;

/**
 * The part of a stored plan or job that another version of Trimtab wrote, in words; null if there is none. A
 * missing field would be read as unset, and an unknown field would be ignored: the point would differ
 * from the requested one.
 */
export function otherVersion(part: 'plan' | 'job', stored: unknown): string | null {
  const difference = differenceOf(part, stored, part === 'plan' ? PLAN : JOB);
  if (difference === null) return null;
  const remedy = 'Start the sweep again with this version, or run the worker with that one.';
  return `It was stored by another version of Trimtab: ${difference}. ${remedy}`;
}

function differenceOf(
  part: string,
  stored: unknown,
  known: Readonly<Record<string, Kind>>,
): string | null {
  if (!isMap(stored)) return `its ${part} is ${shown(stored)}`;
  const fields = stored as Readonly<Record<string, unknown>>;
  for (const [name, [words, fits]] of Object.entries(known)) {
    if (!(name in fields)) return `its ${part} has no ${name}`;
    if (!fits(fields[name]))
      return `the ${name} of its ${part} is ${shown(fields[name])}, which is not ${words}`;
  }
  const strange = Object.keys(fields).find((name) => !(name in known));
  return strange === undefined
    ? null
    : `its ${part} has ${strange} (${shown(fields[strange])}), which this version does not know`;
}

const MOST_SHOWN = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
