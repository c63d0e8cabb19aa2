import type { MonoTypeOperatorFunction } from 'rxjs';
import { step } from './step.ts';

/** Reads one of the two lines that may cross. */
export type ReadLine<T> = (value: T) => number;

/**
 * The values at which the `rising` line crosses the `still` one: not above it at the last value, above it at
 * this one. The first value has no predecessor and never crosses; a value with a NaN line is ignored.
 */
export function crossing<T>(rising: ReadLine<T>, still: ReadLine<T>): MonoTypeOperatorFunction<T> {
  return step<T, T>(() => {
    let wasBelow = false;
    return (value, out) => {
      const distance = rising(value) - still(value);
      if (Number.isNaN(distance)) return;
      const crossed = wasBelow && distance > 0;
      wasBelow = distance <= 0;
      if (crossed) out.next(value);
    };
  });
}

/** The lines of a stream of pairs. */
export const firstOfPair = ([first]: readonly [number, number]): number => first;
export const secondOfPair = ([, second]: readonly [number, number]): number => second;
