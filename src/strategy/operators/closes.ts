import { map, type OperatorFunction } from 'rxjs';
import type { ClosedBar } from '../Bar.ts';

/** The close of each closed bar, in quote units. */
export function closes(): OperatorFunction<ClosedBar, number> {
  return map((bar) => bar.close);
}
