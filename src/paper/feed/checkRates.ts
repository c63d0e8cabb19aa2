import { toHour } from '../market/FundingSchedule.ts';
import { timeText } from './timeText.ts';

/** No venue charges more at one settlement: beyond it a rate is in percent or in basis points. */
const LARGEST_RATE = 0.05;
/**
 * Usual rates are about 0.0001 in eight hours and an eighth of it in one: a file half of whose settlements are ten times
 * as large is probably in percent.
 */
const LARGEST_USUAL_RATE = 0.001;
/** Fewer show nothing of what is usual. */
const FEWEST_RATES = 3;

const asPercent = (rate: number): string => `${Number((rate * 100).toPrecision(6))} %`;

/** What a rate that no venue charges needs; null for others. */
export function impossibleRate(rate: number): { message: string; remedy: string } | null {
  if (Math.abs(rate) <= LARGEST_RATE) return null;
  return {
    message: `is ${asPercent(rate)} of the position at one settlement, over 5 %.`,
    remedy:
      'A rate is a fraction: 0.0001 is 0.01 %. Divide percent by 100, basis points by 10,000.',
  };
}

interface Numbers {
  at(row: number): number | undefined;
}

/**
 * What a row needs that gives the hour of the row before another rate; null for others. A settlement is assigned to
 * its hour, so that the later one would be charged before it was known. The same rate twice is one settlement.
 */
export function secondRate(
  { time, rate }: { time: Numbers; rate: Numbers },
  row: number,
): { message: string; remedy: string } | null {
  if (row === 0 || rate.at(row) === rate.at(row - 1)) return null;
  const before = time.at(row - 1)!;
  if (toHour(time.at(row)!) !== toHour(before)) return null;
  return {
    message: `is not ${rate.at(row - 1)}, the rate of ${timeText(before)} UTC, which is of the same hour.`,
    remedy: 'A symbol settles once an hour at most: leave the row of the settled rate.',
  };
}

/** A hint that rates are in percent, without their file; null without one. */
export function percentHint(rates: Float64Array): string | null {
  const sizes = rates.map(Math.abs).filter(Number.isFinite).sort();
  const median = sizes[Math.floor((sizes.length - 1) / 2)];
  if (median === undefined || sizes.length < FEWEST_RATES || median < LARGEST_USUAL_RATE)
    return null;
  return `half of its rates are ${asPercent(median)} or more at a settlement, and 0.01 % is usual: are they in percent? A rate is a fraction: 0.0001 is 0.01 %`;
}
