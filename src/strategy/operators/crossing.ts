import type { MonoTypeOperatorFunction, Subscriber } from 'rxjs';
import { CrossingRows } from '../rows/CrossingRows.ts';
import { step } from './step.ts';

/** Reads one of the two lines that may cross. */
export type ReadLine<T> = (value: T) => number;

/**
 * The values at which the `rising` line crosses the `still` one: not above it at the last value, above it at
 * this one. The first value has no predecessor and never crosses; a value with a NaN line is ignored.
 */
export function crossing<T>(rising: ReadLine<T>, still: ReadLine<T>): MonoTypeOperatorFunction<T> {
  return step<T, T>(() => {
    const rows = new CrossingRows(rising, still);
    return Object.assign(
      (value: T, out: Subscriber<T>): void => {
        const known = rows.crossesAt();
        if (known ?? rows.takeDistance(rising(value) - still(value))) out.next(value);
      },
      { stage: rows },
    );
  });
}

/** The lines of a stream of pairs. */
export const firstOfPair = ([first]: readonly [number, number]): number => first;
export const secondOfPair = ([, second]: readonly [number, number]): number => second;
