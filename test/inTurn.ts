import { test } from 'vitest';
import { isPart, rotation, TURNS } from './tiers.ts';

/** A costly file runs once in so many commits; counting its runs as well, each run takes other tests of it. */
const turn = rotation + Math.floor(rotation / TURNS);

type Body = () => Promise<void>;

/**
 * Defines those tests of a file that cost seconds each. `npm test` takes every `of`-th, others with the next commit; the
 * full run, and a run of a file by its name, take all.
 *
 * @returns for use in place of `test`; a file has at least as many of them, or others besides
 */
export function inTurn(
  of: number,
): (name: string, body: Body | object, more?: Body | number) => void {
  let at = 0;
  return (...given) => {
    if (!isPart || at++ % of === turn % of) test(...(given as Parameters<typeof test>));
  };
}
