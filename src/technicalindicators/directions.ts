import { z } from 'zod';
import { createIndicator } from '../indicators/index.ts';
import { adapt, streamed } from './adapt.ts';
import { bars, ofPeriod } from './params.ts';

/** The library's average directional index; a window without range or direction is 0. */
export const adx = adapt({
  name: 'adx',
  params: ofPeriod(14, 2),
  series: ['adx', 'pdi', 'mdi'],
  warmup: ({ period }) => 2 * period,
  create: ({ period }) => {
    const kernel = createIndicator('adx', { period });
    return {
      next: ({ time, open, high, low, close, volume }) => {
        kernel.next(time, open, high, low, close, volume);
        const [adx, pdi, mdi] = kernel.values;
        return { adx, pdi, mdi };
      },
    };
  },
});

/** The library's average true range. */
export const atr = adapt({
  name: 'atr',
  params: ofPeriod(14),
  series: ['value'],
  warmup: ({ period }) => period + 1,
  create: (params, library) => streamed(library, 'ATR', params),
});

/** The library's true range, from the second bar on. */
export const truerange = adapt({
  name: 'truerange',
  params: z.object({}),
  series: ['value'],
  warmup: () => 2,
  create: (params, library) => streamed(library, 'TrueRange', params),
});

/** The library's parabolic stop and reverse. It takes the first bar for a rise. */
export const psar = adapt({
  name: 'psar',
  params: z.object({
    step: z.number().min(0.001).max(1).default(0.02),
    max: z.number().min(0.001).max(1).default(0.2),
  }),
  series: ['value'],
  warmup: () => 1,
  create: (params, library) => streamed(library, 'PSAR', params),
});

/** The library's Ichimoku lines, its spans those of the bar itself: they are not displaced. */
export const ichimokucloud = adapt({
  name: 'ichimokucloud',
  params: z.object({
    conversionPeriod: bars(9),
    basePeriod: bars(26),
    spanPeriod: bars(52),
    displacement: bars(26),
  }),
  series: ['conversion', 'base', 'spanA', 'spanB'],
  warmup: ({ conversionPeriod, basePeriod, spanPeriod, displacement }) =>
    Math.max(conversionPeriod, basePeriod, spanPeriod, displacement),
  create: (params, library) => streamed(library, 'IchimokuCloud', params),
});

/** The library's Heikin-Ashi candle of each bar. */
export const heikinashi = adapt({
  name: 'heikinashi',
  params: z.object({}),
  series: ['open', 'high', 'low', 'close'],
  warmup: () => 1,
  create: (params, library) => streamed(library, 'HeikinAshi', params),
});
