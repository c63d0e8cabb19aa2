import type { ComparedIntent } from './ComparedIntent.ts';
import { pairIntents, type IntentPair } from './pairIntents.ts';
import type { ShadowCourse, ShadowView } from './ShadowView.ts';
import { viewOf } from './viewOf.ts';

/** What one version decided. */
export interface VersionCounts {
  intents: number;
  /** By a guard. */
  denied: number;
}

/** A strategy and its shadow, intent by intent. Keys are as they appear in JSON. */
export interface Comparison extends ShadowView {
  /** Market time of the decisions that are compared; the figures and the curve are of all of `since` to `until`. */
  compared: { from: number; until: number };
  /** Whether the earliest are left out because one version's are no longer kept. */
  cut: boolean;
  /** Pairs that are the same, and the others. */
  same: number;
  parted: number;
  counts: { live: VersionCounts; shadow: VersionCounts };
  /** In the order of market time. */
  pairs: readonly IntentPair[];
}

export interface CompareOptions {
  /** Market time, epoch milliseconds: decisions at or after, and before. */
  since?: number | undefined;
  until?: number | undefined;
}

/** Compares what both versions decided while both ran. */
export function compareVersions(
  course: ShadowCourse,
  { since = -Infinity, until = Infinity }: CompareOptions = {},
): Comparison {
  const {
    liveIntents,
    shadowIntents,
    sizeSteps,
    since: begun,
    until: reached,
    intentsSince,
  } = course;
  const from = Math.max(begun, since, intentsSince);
  const isCommon = ({ time }: ComparedIntent): boolean =>
    time >= from && time <= reached && time < until;
  const live = liveIntents.filter(isCommon);
  const shadow = shadowIntents.filter(isCommon);
  const pairs = pairIntents(live, shadow, { sizeStep: (symbol) => sizeSteps[symbol] ?? 0 });
  const same = pairs.filter(({ differs }) => differs.length === 0).length;
  return {
    ...viewOf(course),
    compared: { from, until: Math.min(reached, until) },
    cut: intentsSince > Math.max(begun, since),
    same,
    parted: pairs.length - same,
    counts: { live: countsOf(live), shadow: countsOf(shadow) },
    pairs,
  };
}

/** Where the two part for the first time; undefined if they never do. */
export const firstParting = ({ pairs }: Comparison): IntentPair | undefined =>
  pairs.find(({ differs }) => differs.length > 0);

function countsOf(intents: readonly ComparedIntent[]): VersionCounts {
  const denied = intents.filter(({ outcome }) => outcome === 'denied').length;
  return { intents: intents.length, denied };
}
