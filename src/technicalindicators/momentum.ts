import { z } from 'zod';
import { createEma, createIndicator } from '../indicators/index.ts';
import { adapt, streamed } from './adapt.ts';
import { Change } from './Change.ts';
import { Mean } from './Mean.ts';
import { bars, ofPeriod } from './params.ts';

/** The library's relative strength index, unrounded. */
export const rsi = adapt({
  name: 'rsi',
  params: ofPeriod(14, 2),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period + 1,
  create: ({ period }) => ofCloses(createIndicator('rsi', { period })),
});

/** The library's stochastic oscillator: `k` and its mean `d`; a flat window is 0. */
export const stochastic = adapt({
  name: 'stochastic',
  params: z.object({ period: bars(14), signalPeriod: bars(3) }),
  series: ['k', 'd'],
  warmup: ({ period, signalPeriod }) => period + signalPeriod - 1,
  create: (params, library) => streamed(library, 'Stochastic', params),
});

/** The library's Williams %R, −100 to 0; a flat window is −100, as its stochastic oscillator there is 0. */
export const williamsr = adapt({
  name: 'williamsr',
  params: ofPeriod(14),
  series: ['value'],
  warmup: ({ period }) => period,
  create: (params, library) => {
    const kernel = streamed<['value'], 'bar'>(library, 'WilliamsR', params);
    return {
      next: (bar) => {
        const value = kernel.next(bar);
        return Number.isNaN(value) ? -100 : value;
      },
    };
  },
});

/** The library's stochastic of the relative strength index, of an unrounded index. */
export const stochasticrsi = adapt({
  name: 'stochasticrsi',
  params: z.object({
    rsiPeriod: bars(14, 2),
    stochasticPeriod: bars(14),
    kPeriod: bars(3),
    dPeriod: bars(3),
  }),
  series: ['stochRSI', 'k', 'd'],
  input: 'close',
  warmup: ({ rsiPeriod, stochasticPeriod, kPeriod, dPeriod }) =>
    rsiPeriod + stochasticPeriod + kPeriod + dPeriod - 2,
  create: ({ rsiPeriod, stochasticPeriod, kPeriod, dPeriod }) => {
    const strength = ofCloses(createIndicator('rsi', { period: rsiPeriod }));
    const range = createIndicator('stochastic', { k_period: stochasticPeriod, d_period: kPeriod });
    const smoothing = new Mean(dPeriod);
    return {
      next: (close) => {
        const index = strength.next(close);
        if (Number.isNaN(index) || !range.next(0, index, index, index, index, 0)) return undefined;
        const k = range.value('d');
        return { stochRSI: range.value('k'), k, d: smoothing.next(k) };
      },
    };
  },
});

/** The library's rate of change, in percent; an earlier number of 0 has none. */
export const roc = adapt({
  name: 'roc',
  params: ofPeriod(12),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period + 1,
  create: (params, library) => streamed(library, 'ROC', params),
});

/** The library's Know Sure Thing, with a signal of 0 as a value like any other. */
export const kst = adapt({
  name: 'kst',
  params: z.object({
    ROCPer1: bars(10),
    ROCPer2: bars(15),
    ROCPer3: bars(20),
    ROCPer4: bars(30),
    SMAROCPer1: bars(10),
    SMAROCPer2: bars(10),
    SMAROCPer3: bars(10),
    SMAROCPer4: bars(15),
    signalPeriod: bars(9),
  }),
  series: ['kst', 'signal'],
  input: 'close',
  warmup: (params) =>
    Math.max(
      params.ROCPer1 + params.SMAROCPer1,
      params.ROCPer2 + params.SMAROCPer2,
      params.ROCPer3 + params.SMAROCPer3,
      params.ROCPer4 + params.SMAROCPer4,
    ) +
    params.signalPeriod -
    1,
  create: (params) => {
    const parts = [
      smoothedChange(params.ROCPer1, params.SMAROCPer1),
      smoothedChange(params.ROCPer2, params.SMAROCPer2),
      smoothedChange(params.ROCPer3, params.SMAROCPer3),
      smoothedChange(params.ROCPer4, params.SMAROCPer4),
    ];
    const smoothing = new Mean(params.signalPeriod);
    return {
      next: (close) => {
        let sum = 0;
        for (const [at, next] of parts.entries()) sum += next(close) * (at + 1);
        return Number.isNaN(sum) ? undefined : { kst: sum, signal: smoothing.next(sum) };
      },
    };
  },
});

/** The library's rate of change of a triple exponential average, in percent, with 0 as a value like any other. */
export const trix = adapt({
  name: 'trix',
  params: ofPeriod(18),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => 3 * period - 1,
  create: ({ period }) => {
    const averages = [createEma(period), createEma(period), createEma(period)];
    const change = new Change(1);
    return {
      next: (close) => {
        let value = close;
        for (const average of averages) {
          value = average.next(value);
          if (Number.isNaN(value)) return undefined;
        }
        return change.next(value);
      },
    };
  },
});

/** The library's Awesome Oscillator: the difference of two averages of the bars' middles. */
export const awesomeoscillator = adapt({
  name: 'awesomeoscillator',
  params: z.object({ fastPeriod: bars(5), slowPeriod: bars(34) }),
  series: ['value'],
  warmup: ({ fastPeriod, slowPeriod }) => Math.max(fastPeriod, slowPeriod),
  create: (params, library) => streamed(library, 'AwesomeOscillator', params),
});

/** The library's commodity channel index; a flat window is 0. */
export const cci = adapt({
  name: 'cci',
  params: ofPeriod(20),
  series: ['value'],
  warmup: ({ period }) => period,
  create: ({ period }) => {
    const kernel = createIndicator('cci', { period });
    return {
      next: ({ time, open, high, low, close, volume }) => {
        kernel.next(time, open, high, low, close, volume);
        return kernel.values[0]!;
      },
    };
  },
});

function ofCloses(kernel: ReturnType<typeof createIndicator>) {
  return {
    next: (close: number): number => {
      kernel.next(0, close, close, close, close, 0);
      return kernel.values[0]!;
    },
  };
}

function smoothedChange(period: number, smoothing: number): (close: number) => number {
  const change = new Change(period);
  const mean = new Mean(smoothing);
  return (close) => {
    const value = change.next(close);
    // The mean starts with the first change.
    return Number.isNaN(value) ? NaN : mean.next(value);
  };
}
