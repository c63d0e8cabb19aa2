import { z } from 'zod';
import { createEma } from '../indicators/index.ts';
import { adapt, streamed } from './adapt.ts';
import { Mean } from './Mean.ts';
import { bars, ofPeriod } from './params.ts';

/** The library's simple moving average of closes or numbers, without drift. */
export const sma = adapt({
  name: 'sma',
  params: ofPeriod(20),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period,
  create: ({ period }) => new Mean(period),
});

/** The library's exponential moving average, with a first mean of 0 as a value like any other. */
export const ema = adapt({
  name: 'ema',
  params: ofPeriod(20),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period,
  create: ({ period }) => createEma(period),
});

/** The library's weighted moving average of closes or numbers. */
export const wma = adapt({
  name: 'wma',
  params: ofPeriod(20),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period,
  create: (params, library) => streamed(library, 'WMA', params),
});

/** The library's average by Wilder's weight, 1/period. */
export const wema = adapt({
  name: 'wema',
  params: ofPeriod(20),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period,
  create: (params, library) => streamed(library, 'WEMA', params),
});

/** The library's MACD, with averages and a signal of 0 as values like any other. */
export const macd = adapt({
  name: 'macd',
  params: z.object({
    fastPeriod: bars(12),
    slowPeriod: bars(26),
    signalPeriod: bars(9),
    SimpleMAOscillator: z.boolean().default(false),
    SimpleMASignal: z.boolean().default(false),
  }),
  series: ['MACD', 'signal', 'histogram'],
  input: 'close',
  warmup: ({ fastPeriod, slowPeriod, signalPeriod }) =>
    Math.max(fastPeriod, slowPeriod) + signalPeriod - 1,
  create: ({ fastPeriod, slowPeriod, signalPeriod, SimpleMAOscillator, SimpleMASignal }) => {
    const average = (simple: boolean, period: number) =>
      simple ? new Mean(period) : createEma(period);
    const fast = average(SimpleMAOscillator, fastPeriod);
    const slow = average(SimpleMAOscillator, slowPeriod);
    const smoothing = average(SimpleMASignal, signalPeriod);
    return {
      next: (close) => {
        const line = fast.next(close) - slow.next(close);
        if (Number.isNaN(line)) return undefined;
        const signal = smoothing.next(line);
        return { MACD: line, signal, histogram: line - signal };
      },
    };
  },
});
