import { filter, map, withLatestFrom, type MonoTypeOperatorFunction, type Observable } from 'rxjs';

/** The fields of a position that show whether there is one; `size` is unsigned, in base units. */
export interface Sized {
  readonly size: number;
}

/** The values that come while there is a position, or while there is none; none while that is unknown. */
export function whilePosition<T>(
  position$: Observable<Sized | null>,
  open: boolean,
): MonoTypeOperatorFunction<T> {
  return (source) =>
    source.pipe(
      withLatestFrom(position$),
      filter(([, position]) => isOpen(position) === open),
      map(([value]) => value),
    );
}

const isOpen = (position: Sized | null) => position !== null && position.size !== 0;
