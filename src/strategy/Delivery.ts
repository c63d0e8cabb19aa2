import type { Cause } from './causes.ts';
import type { Liveness } from './createTurns.ts';

/** What an event is to a plugin. */
export interface Delivery<T> {
  cause: Cause<T>;
  event: T;
  liveness: Liveness;
}
