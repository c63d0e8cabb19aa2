import { map, type OperatorFunction } from 'rxjs';
import type { ClosedBar } from '../Bar.ts';

/** The high of each closed bar, in quote units. */
export function highs(): OperatorFunction<ClosedBar, number> {
  return map((bar) => bar.high);
}
