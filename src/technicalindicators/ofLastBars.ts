import { z } from 'zod';
import type { IndicatorFactory } from '../strategy/operators/index.ts';
import { adapt } from './adapt.ts';
import type { Candles, Library } from './loadLibrary.ts';

/** An indicator of the bars alone, without parameters: 1 where the pattern is complete, else 0. */
export type CandlestickPattern = IndicatorFactory<z.ZodObject<{}>, readonly ['value']>;

/** A pattern of the last bars. The library has functions for these, over arrays; here they get as many as they read. */
export function ofLastBars(
  name: string,
  count: number,
  isPattern: (candles: Candles, library: Library) => unknown,
): CandlestickPattern {
  return adapt({
    name,
    params: z.object({}),
    series: ['value'],
    warmup: () => count,
    create: (_params, library) => {
      const candles: Candles = { open: [], high: [], low: [], close: [] };
      return {
        next: (bar) => {
          for (const price of ['open', 'high', 'low', 'close'] as const) {
            candles[price].push(bar[price]);
            if (candles[price].length > count) candles[price].shift();
          }
          if (candles.close.length < count) return undefined;
          return isPattern(candles, library) === true ? 1 : 0;
        },
      };
    },
  });
}
