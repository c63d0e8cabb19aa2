import type { MonoTypeOperatorFunction, Observable } from 'rxjs';
import { whilePosition, type Sized } from './whilePosition.ts';

/** Only the values that come while a position is open; none while that isn't known yet. */
export function whenOpen<T>(position$: Observable<Sized | null>): MonoTypeOperatorFunction<T> {
  return whilePosition(position$, true);
}
