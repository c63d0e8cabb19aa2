import type { OperatorFunction } from 'rxjs';
import type { ClosedBar } from '../Bar.ts';
import { extremes } from './extremes.ts';

/**
 * The lowest of the last `count` numbers, or low of the last `count` bars, this one included; silent
 * until there are as many.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(lowest(20));
 * ```
 *
 * @throws RangeError unless `count` is a whole number of at least 1
 */
export function lowest(count: number): OperatorFunction<ClosedBar | number, number> {
  return extremes('lowest', count);
}
