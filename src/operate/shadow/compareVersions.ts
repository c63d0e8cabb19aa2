import { barCloseOf, type ComparedIntent } from './ComparedIntent.ts';
import { pairIntents, timeOf, type IntentPair } from './pairIntents.ts';
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
  /** Market time of the events that are compared; the figures and the curve are of all of `since` to `until`. */
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
  /** Market time, epoch milliseconds: decisions on events at or after, and before. */
  since?: number | undefined;
  until?: number | undefined;
}

/**
 * Compares what both versions decided while both ran. What one of them lacks has parted once the other has passed the
 * time at which it would have it: on a bar at once, else at the end of its bar.
 */
export function compareVersions(
  course: ShadowCourse,
  { since = -Infinity, until = Infinity }: CompareOptions = {},
): Comparison {
  const {
    liveIntents,
    shadowIntents,
    sizeSteps,
    barMs,
    state,
    since: begun,
    until: reached,
    intentsSince,
  } = course;
  const from = Math.max(begun, since, intentsSince);
  const hasBegun = ({ time }: ComparedIntent): boolean => time >= begun;
  // The other of a pair may lie outside of the range: the range is that of the earlier one.
  const isCommon = (pair: IntentPair): boolean => {
    const time = timeOf(pair);
    return time >= from && time <= reached && time < until && isSettled(pair);
  };
  const isSettled = ({ live, shadow }: IntentPair): boolean => {
    if (live !== undefined && shadow !== undefined) return true;
    const { cause, time } = (live ?? shadow)!;
    if (barCloseOf(cause) !== undefined) return true;
    const start = Math.floor(time / barMs) * barMs;
    const isOver = state !== 'running' || start + barMs <= reached;
    return isOver && (intentsSince <= begun || start >= intentsSince);
  };
  const pairs = pairIntents(liveIntents.filter(hasBegun), shadowIntents.filter(hasBegun), {
    sizeStep: (symbol) => sizeSteps[symbol] ?? 0,
    barMs,
  }).filter(isCommon);
  const same = pairs.filter(({ differs }) => differs.length === 0).length;
  return {
    ...viewOf(course),
    compared: { from, until: Math.min(reached, until) },
    cut: intentsSince > Math.max(begun, since),
    same,
    parted: pairs.length - same,
    counts: {
      live: countsOf(pairs.map(({ live }) => live)),
      shadow: countsOf(pairs.map(({ shadow }) => shadow)),
    },
    pairs,
  };
}

/** Where the two part for the first time; undefined if they never do. */
export const firstParting = ({ pairs }: Comparison): IntentPair | undefined =>
  pairs.find(({ differs }) => differs.length > 0);

function countsOf(own: ReadonlyArray<ComparedIntent | undefined>): VersionCounts {
  const intents = own.filter((intent) => intent !== undefined);
  const denied = intents.filter(({ outcome }) => outcome === 'denied').length;
  return { intents: intents.length, denied };
}
