import type { ClosedBar } from '../../src/technicalindicators.ts';
import { toBars, type Name, type Params, type Row } from './catalogue.ts';

/** A fault of the library that an operator does not have. The page in `docs/reference` is made of these. */
export interface Trap {
  readonly name: Name;
  /** What the library gives. */
  readonly fault: string;
  /** What the operator gives. */
  readonly mended: string;
  readonly params: Params;
  readonly inputs: ReadonlyArray<ClosedBar | number>;
  /** Whether the library's last value shows the fault. */
  isWrong(last: unknown): boolean;
  /** The operator's last row. */
  readonly right: Row;
}

/** Bars of closes, each with a range of ± `around`. */
export function barsOf(closes: readonly number[], around: number, volume = 10): ClosedBar[] {
  return toBars({
    time: closes.map((_close, at) => at * 60_000),
    open: [...closes],
    high: closes.map((close) => close + around),
    low: closes.map((close) => close - around),
    close: [...closes],
    volume: closes.map(() => volume),
  });
}

const flat = (count: number): number[] => Array.from({ length: count }, () => 5);
const SPIKE = [1e16, 1, 1, 1];
const isNaNNumber = (value: unknown): boolean => typeof value === 'number' && Number.isNaN(value);
const isMissing = (value: unknown): boolean => value === undefined;
const field = (value: unknown, name: string): unknown => (value as Record<string, unknown>)[name];

const LOST_ZERO = 'an average of exactly 0 counts as none';

export const TRAPS: readonly Trap[] = [
  {
    name: 'sma',
    fault: 'a running sum keeps the rest of a spike that has left the window',
    mended: 'a sum that only adds',
    params: { period: 2 },
    inputs: SPIKE,
    isWrong: (last) => last === 0.5,
    right: { value: 1 },
  },
  {
    name: 'sum',
    fault: 'a running sum keeps the rest of a spike that has left the window',
    mended: 'a sum that only adds',
    params: { period: 2 },
    inputs: SPIKE,
    isWrong: (last) => last === 1,
    right: { value: 2 },
  },
  {
    name: 'ema',
    fault: `${LOST_ZERO}: one that starts with 0 reads its last number twice`,
    mended: '0 is a value',
    params: { period: 2 },
    inputs: [3, -3, 3],
    isWrong: (last) => last !== 2,
    right: { value: 2 },
  },
  {
    name: 'macd',
    fault: `${LOST_ZERO}: a flat market has no signal`,
    mended: '0 is a value',
    params: {},
    inputs: flat(40),
    isWrong: (last) => field(last, 'signal') === undefined,
    right: { MACD: 0, signal: 0, histogram: 0 },
  },
  {
    name: 'rsi',
    fault: 'rounded to 2 decimals',
    mended: 'unrounded',
    params: { period: 2 },
    inputs: [1, 3, 2],
    isWrong: (last) => last === 66.67,
    right: { value: 200 / 3 },
  },
  {
    name: 'stochasticrsi',
    fault: 'of a rounded RSI, and off by percents where that hardly moves',
    mended: 'of an unrounded one',
    params: { rsiPeriod: 2, stochasticPeriod: 3, kPeriod: 1, dPeriod: 1 },
    // Strengths of 66.666…, 50 and 64.285…: the last lies six sevenths of the way up.
    inputs: [1, 3, 2, 1.5, 1.9],
    isWrong: (last) => Math.abs((field(last, 'stochRSI') as number) - 600 / 7) > 0.005,
    right: { stochRSI: 600 / 7, k: 600 / 7, d: 600 / 7 },
  },
  {
    name: 'bollingerbands',
    fault: '`pb` is NaN on a flat window; a mean of 0 counts as none',
    mended: '`pb` is 0.5; 0 is a value',
    params: { period: 3, stdDev: 2 },
    inputs: flat(3),
    isWrong: (last) => isNaNNumber(field(last, 'pb')),
    right: { upper: 5, middle: 5, lower: 5, pb: 0.5 },
  },
  {
    name: 'sd',
    fault: 'a mean of exactly 0 counts as none',
    mended: '0 is a value; a flat window is exactly 0',
    params: { period: 2 },
    inputs: [1, -1],
    isWrong: isMissing,
    right: { value: 1 },
  },
  {
    name: 'adx',
    fault: 'NaN for ever after one window without direction',
    mended: 'such a window is 0',
    params: { period: 2 },
    inputs: barsOf([...flat(6), 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20], 0),
    isWrong: (last) => isNaNNumber(field(last, 'adx')),
    right: { adx: 100 * (1 - 2 ** -15), pdi: 100, mdi: 0 },
  },
  {
    name: 'kst',
    fault: `${LOST_ZERO}: a flat market has no signal`,
    mended: '0 is a value',
    params: {},
    inputs: flat(60),
    isWrong: (last) => field(last, 'signal') === undefined,
    right: { kst: 0, signal: 0 },
  },
  {
    name: 'trix',
    fault: 'a change of exactly 0 counts as none: a flat market has no value',
    mended: '0 is a value',
    params: { period: 2 },
    inputs: flat(9),
    isWrong: isMissing,
    right: { value: 0 },
  },
  {
    name: 'cci',
    fault: 'NaN on a flat window, or a remainder of its sums, such as 66.7',
    mended: 'a flat window is 0',
    params: { period: 3 },
    inputs: barsOf(flat(3), 0),
    isWrong: isNaNNumber,
    right: { value: 0 },
  },
  {
    name: 'williamsr',
    fault: 'NaN on a flat window',
    mended: 'a flat window is −100',
    params: { period: 3 },
    inputs: barsOf(flat(3), 0),
    isWrong: isNaNNumber,
    right: { value: -100 },
  },
  {
    name: 'forceindex',
    fault: `${LOST_ZERO}: one that starts with 0 reads its last bar twice`,
    mended: '0 is a value',
    params: { period: 2 },
    inputs: barsOf([5, 6, 5, 6], 1, 3),
    isWrong: (last) => last !== 2,
    right: { value: 2 },
  },
  {
    name: 'mfi',
    fault: 'rounded to 2 decimals; an unchanged price counts as a fall; NaN without any flow',
    mended: 'unrounded; an unchanged price has no direction; no flow is 50',
    params: { period: 2 },
    inputs: barsOf([5, 6, 7, 7, 7], 1),
    isWrong: (last) => last === 0,
    right: { value: 50 },
  },
  {
    name: 'adl',
    fault: 'rounded to whole numbers; a bar without range counts with its whole volume',
    mended: 'unrounded; such a bar adds nothing',
    params: {},
    inputs: barsOf([5, 5, 5], 0),
    isWrong: (last) => last === 30,
    right: { value: 0 },
  },
  {
    name: 'vwap',
    fault: 'NaN until anything is traded',
    mended: 'the typical price until then',
    params: {},
    inputs: barsOf([5, 8], 1, 0),
    isWrong: isNaNNumber,
    right: { value: 8 },
  },
  {
    name: 'highest',
    fault: '0 for numbers that are all below 0',
    mended: 'their highest',
    params: { period: 3 },
    inputs: [-3, -2, -4],
    isWrong: (last) => last === 0,
    right: { value: -2 },
  },
];

/** The patterns of a trend, with those that contain them: they compare gains with losses as texts. */
export const TEXT_ORDERED: readonly Name[] = [
  'bearish',
  'bullish',
  'hammerpattern',
  'hammerpatternunconfirmed',
  'hangingman',
  'hangingmanunconfirmed',
  'shootingstar',
  'shootingstarunconfirmed',
  'tweezerbottom',
  'tweezertop',
];
export const TEXT_ORDER = {
  fault: 'the trend compares a gain with a loss as texts: 9 is more than 10',
  mended: 'compared as numbers',
};
