import { isMap } from '../contract/isMap.ts';
import type { ExpectedIntent } from './compareIntents.ts';
import { isMatcher, isPlain } from './findDifference.ts';
import { decidedOf, type TestedIntent } from './TestedIntent.ts';

/**
 * Of each intent what a runner's diff should show: the fields that are compared, and of one that was not expected
 * what was decided. All of it would bury one wrong size under the bars that led to it.
 */
export function comparedParts(
  intents: readonly TestedIntent[],
  expected: readonly ExpectedIntent[],
): unknown[] {
  return intents.map((intent, at) =>
    at < expected.length ? partOf(intent, expected[at]) : decidedOf(intent),
  );
}

function partOf(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return actual.map((each, at) => (at < expected.length ? partOf(each, expected[at]) : each));
  }
  if (isMatcher(expected) || !isPlain(expected) || !isMap(actual)) return actual;
  const names = Object.keys(expected).filter((name) => name in actual);
  return Object.fromEntries(names.map((name) => [name, partOf(actual[name], expected[name])]));
}
