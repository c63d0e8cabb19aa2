import { z } from 'zod';
import { createEma, RollingSum } from '../indicators/index.ts';
import { adapt, streamed } from './adapt.ts';
import { ofPeriod } from './params.ts';

/** The library's accumulation/distribution line, unrounded; a bar without range adds nothing. */
export const adl = adapt({
  name: 'adl',
  params: z.object({}),
  series: ['value'],
  warmup: () => 1,
  create: () => {
    let line = 0;
    return {
      next: ({ high, low, close, volume }) => {
        if (high > low) line += ((close - low - (high - close)) / (high - low)) * volume;
        return line;
      },
    };
  },
});

/** The library's on-balance volume since the first bar. */
export const obv = adapt({
  name: 'obv',
  params: z.object({}),
  series: ['value'],
  warmup: () => 2,
  create: (params, library) => streamed(library, 'OBV', params),
});

/** The library's force index, with a first mean of 0 as a value like any other. */
export const forceindex = adapt({
  name: 'forceindex',
  params: ofPeriod(1),
  series: ['value'],
  warmup: ({ period }) => period + 1,
  create: ({ period }) => {
    const average = createEma(period);
    let previous = NaN;
    return {
      next: ({ close, volume }) => {
        const force = (close - previous) * volume;
        previous = close;
        return Number.isNaN(force) ? undefined : average.next(force);
      },
    };
  },
});

/** The library's mean price by volume since the first bar; until anything is traded, the bar's typical price. */
export const vwap = adapt({
  name: 'vwap',
  params: z.object({}),
  series: ['value'],
  warmup: () => 1,
  create: (params, library) => {
    const kernel = streamed<['value'], 'bar'>(library, 'VWAP', params);
    return {
      next: (bar) => {
        const value = kernel.next(bar);
        return Number.isNaN(value) ? (bar.high + bar.low + bar.close) / 3 : value;
      },
    };
  },
});

/** The library's money flow index, unrounded; an unchanged price has no direction, and no flow at all is 50. */
export const mfi = adapt({
  name: 'mfi',
  params: ofPeriod(14),
  series: ['value'],
  warmup: ({ period }) => period + 2,
  create: ({ period }) => {
    const rises = new RollingSum(period);
    const falls = new RollingSum(period);
    let previous = NaN;
    return {
      next: ({ high, low, close, volume }) => {
        const price = (high + low + close) / 3;
        const risen = rises.next(price > previous ? price * volume : 0);
        const fallen = falls.next(price < previous ? price * volume : 0);
        previous = price;
        const flow = risen + fallen;
        return flow > 0 ? (100 * risen) / flow : 50;
      },
    };
  },
});
