import type { MonoTypeOperatorFunction } from 'rxjs';
import type { Bar } from '../Bar.ts';
import { step } from './step.ts';

/**
 * Each closed bar once: drops a bar that isn't newer than the last closed one of its symbol and interval, as after
 * a reconnect, when a snapshot repeats earlier bars. Updates of the bar in progress (`ctx.candlesWithForming`) all
 * pass until it closes, and none of them replaces the bar that closes.
 *
 * ```ts
 * merge(ctx.candles(ctx.symbol, '1h'), ctx.candles(ctx.symbol, '1h')).pipe(distinctBar());
 * ```
 */
export function distinctBar<B extends Bar>(): MonoTypeOperatorFunction<B> {
  return step<B, B>(() => {
    const closedTimes = new Map<string, number>();
    return (bar, out) => {
      const key = `${bar.symbol} ${bar.interval}`;
      const last = closedTimes.get(key);
      if (last !== undefined && bar.time <= last) return;
      const { closed = true } = bar as Bar & { closed?: boolean };
      if (closed) closedTimes.set(key, bar.time);
      out.next(bar);
    };
  });
}
