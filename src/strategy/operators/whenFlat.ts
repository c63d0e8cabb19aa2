import type { MonoTypeOperatorFunction, Observable } from 'rxjs';
import { whilePosition, type Sized } from './whilePosition.ts';

/** Only the values that come while there is no position; none while that isn't known yet. */
export function whenFlat<T>(position$: Observable<Sized | null>): MonoTypeOperatorFunction<T> {
  return whilePosition(position$, false);
}
