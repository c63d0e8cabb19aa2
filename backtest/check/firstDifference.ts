import { findDifferences, MOST_REPORTED } from '../../src/operate/recording/index.ts';
import type { DecidedIntent } from './runIntents.ts';

/** The first difference between two runs that should be equal. */
export interface Parting {
  /** Of the first run; undefined if only the other has an intent. */
  one: DecidedIntent | undefined;
  other: DecidedIntent | undefined;
  /** `intent.request.size: 2 → 3`, and the like: of what is not tolerated, the first five. */
  words: readonly string[];
}

/**
 * The first intent that differs, byte for byte.
 *
 * @param tolerated relative distance up to which two numbers count as equal
 */
export function firstDifference(
  one: readonly DecidedIntent[],
  other: readonly DecidedIntent[],
  tolerated = 0,
): Parting | undefined {
  const count = Math.max(one.length, other.length);
  for (let at = 0; at < count; at++) {
    const [a, b] = [one[at], other[at]];
    if (JSON.stringify(a) === JSON.stringify(b)) continue;
    const beyond = findDifferences(a, b).filter(
      ({ first, second }) => !isNear(first, second, tolerated),
    );
    if (beyond.length === 0) continue;
    const words = beyond
      .slice(0, MOST_REPORTED)
      .map(({ path, first, second }) => `${path || 'intent'}: ${show(first)} → ${show(second)}`);
    return { one: a, other: b, words };
  }
  return undefined;
}

function isNear(first: unknown, second: unknown, tolerated: number): boolean {
  if (typeof first !== 'number' || typeof second !== 'number') return false;
  return Math.abs(first - second) <= tolerated * Math.max(Math.abs(first), Math.abs(second));
}

function show(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value).slice(0, 80);
}
