import type { Interval } from '../../contract/index.ts';

/** Reads of indicators that checks use: a distance, and a level that is rarely reached. */
export const ATR = { indicator: 'atr', params: { period: 14 }, interval: '1m' } as const;
export const LOWER_BAND = {
  indicator: 'keltner',
  params: { period: 5, mult: 6 },
  series: 'lower',
  interval: '1m',
} satisfies { interval: Interval; [field: string]: unknown };
