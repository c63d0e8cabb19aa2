import { z } from 'zod';
import { createIndicator, RollingMoments, RollingRange, RollingSum } from '../indicators/index.ts';
import { adapt, streamed } from './adapt.ts';
import { bars, factor, ofPeriod } from './params.ts';

/** The library's Bollinger bands, and `pb`, the close's place between them; a flat window is 0.5. */
export const bollingerbands = adapt({
  name: 'bollingerbands',
  params: z.object({ period: bars(20, 2), stdDev: factor(2) }),
  series: ['upper', 'middle', 'lower', 'pb'],
  input: 'close',
  warmup: ({ period }) => period,
  create: ({ period, stdDev }) => {
    const kernel = createIndicator('bollinger', { period, std_dev: stdDev });
    return {
      next: (close) => {
        kernel.next(0, close, close, close, close, 0);
        const [upper, middle, lower] = kernel.values as unknown as [number, number, number];
        const pb = upper === lower ? 0.5 : (close - lower) / (upper - lower);
        return { upper, middle, lower, pb };
      },
    };
  },
});

/** The library's Keltner channel. */
export const keltnerchannels = adapt({
  name: 'keltnerchannels',
  params: z.object({
    maPeriod: bars(20),
    atrPeriod: bars(10),
    multiplier: factor(1),
    useSMA: z.boolean().default(false),
  }),
  series: ['upper', 'middle', 'lower'],
  warmup: ({ maPeriod, atrPeriod }) => Math.max(maPeriod, atrPeriod + 1),
  create: (params, library) => streamed(library, 'KeltnerChannels', params),
});

/** The library's chandelier exits of a long and of a short position. */
export const chandelierexit = adapt({
  name: 'chandelierexit',
  params: z.object({ period: bars(22), multiplier: factor(3) }),
  series: ['exitLong', 'exitShort'],
  warmup: ({ period }) => period + 1,
  create: (params, library) => streamed(library, 'ChandelierExit', params),
});

/** The library's standard deviation (population), exactly 0 on a flat window. */
export const sd = adapt({
  name: 'sd',
  params: ofPeriod(20),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period,
  create: ({ period }) => {
    const moments = new RollingMoments(period);
    return {
      next: (value) => {
        moments.next(value);
        return Math.sqrt(moments.variance);
      },
    };
  },
});

/** The library's mean gain, by Wilder's average. */
export const averagegain = adapt({
  name: 'averagegain',
  params: ofPeriod(14),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period + 1,
  create: (params, library) => streamed(library, 'AverageGain', params),
});

/** The library's mean loss, by Wilder's average. */
export const averageloss = adapt({
  name: 'averageloss',
  params: ofPeriod(14),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period + 1,
  create: (params, library) => streamed(library, 'AverageLoss', params),
});

/** The library's highest number of the last ones, of numbers below 0 as well. */
export const highest = adapt({
  name: 'highest',
  params: ofPeriod(20),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period,
  create: ({ period }) => {
    const range = new RollingRange(period);
    return {
      next: (value) => {
        range.next(value, value);
        return range.highest;
      },
    };
  },
});

/** The library's lowest number of the last ones. */
export const lowest = adapt({
  name: 'lowest',
  params: ofPeriod(20),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period,
  create: (params, library) => streamed(library, 'Lowest', params),
});

/** The library's sum of the last numbers, without drift. */
export const sum = adapt({
  name: 'sum',
  params: ofPeriod(20),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period,
  create: ({ period }) => new RollingSum(period),
});
