import fc from 'fast-check';
import { isFull } from './tiers.ts';

/** A full run draws this many times as many cases. */
const FULL_FACTOR = 20;

/** Repeats a failure: the seed and the path that it printed. */
const SEED = process.env['TRIMTAB_LAW_SEED'];
const PATH = process.env['TRIMTAB_LAW_PATH'];

/**
 * Holds a law on drawn cases, other ones in each run, or with each commit in `npm test`. A failure prints the shortest counter-example with its seed and
 * path; `TRIMTAB_LAW_SEED=… TRIMTAB_LAW_PATH=… npx vitest run FILE` repeats it.
 *
 * @param cases of a run of the tests
 * @param law throws or returns false where it does not hold
 */
export async function holdLaw<T>(
  cases: number,
  drawn: fc.Arbitrary<T>,
  law: (one: T) => boolean | void | Promise<boolean | void>,
): Promise<void> {
  const property = fc.asyncProperty(drawn, async (one) => law(one));
  await fc.assert(property, {
    numRuns: isFull ? cases * FULL_FACTOR : cases,
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
    ...(PATH === undefined ? {} : { path: PATH }),
  });
}

/** Counts what drawn cases had, so that a law which nothing tried is noticed. */
export class Tried {
  readonly #counts = new Map<string, number>();

  take(...names: readonly string[]): void {
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Those of the names that occurred less often than the number says; none where one case is repeated. */
  rare(names: readonly string[], least: number): string[] {
    if (PATH !== undefined) return [];
    return names.filter((name) => (this.#counts.get(name) ?? 0) < least);
  }
}
