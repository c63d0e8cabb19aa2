import type { MonoTypeOperatorFunction } from 'rxjs';
import type { Bar } from '../Bar.ts';
import { step } from './step.ts';

/**
 * Each bar once: drops a bar that isn't newer than the last one of its symbol and interval, as after a
 * reconnect, when a snapshot repeats earlier bars.
 *
 * ```ts
 * merge(ctx.candles(ctx.symbol, '1h'), ctx.candles(ctx.symbol, '1h')).pipe(distinctBar());
 * ```
 */
export function distinctBar<B extends Bar>(): MonoTypeOperatorFunction<B> {
  return step<B, B>(() => {
    const lastTimes = new Map<string, number>();
    return (bar, out) => {
      const key = `${bar.symbol} ${bar.interval}`;
      const last = lastTimes.get(key);
      if (last !== undefined && bar.time <= last) return;
      lastTimes.set(key, bar.time);
      out.next(bar);
    };
  });
}
