import { barOpenTime, INTERVAL_MS, type Interval } from '../../contract/index.ts';
import type { Feed } from './Feed.ts';
import { IMPORT, type FeedProblem } from './FeedProblem.ts';
import { isDate, unitOf } from './TimeScale.ts';

/** A problem in a row; the reader adds file and line. */
export type CandleFault = Pick<FeedProblem, 'column' | 'value' | 'message' | 'remedy'>;

type Columns = Omit<Feed, 'symbol' | 'interval' | 'tape'>;

const MILLISECONDS = 'milliseconds';
/** Times below this are in 1970 in any unit, so they don't identify their unit; dates do. */
const EARLIEST = 1e8;
/**
 * Microseconds of whole days are also multiples of a day's milliseconds: only their size identifies them.
 */
export const LATEST = 1e14;
/** Remedy for an invalid time, in any file. */
export const TIMES_REMEDY = `Times are whole ${MILLISECONDS} since 1970 (UTC). ${IMPORT}`;

const ORDER_REMEDY = 'Are the columns in the order of the header?';

/** Checks one row of candles, from any kind of file; the rows before it are valid. */
export function checkCandle(columns: Columns, row: number, interval: Interval): CandleFault | null {
  return checkTime(columns.time, row, interval) ?? checkBar(columns, row);
}

/** Checks the prices and the volume of a row, but not its time. */
export function checkBar(columns: Columns, row: number): CandleFault | null {
  const { open, high, low, close, volume } = columns;
  return (
    checkPrices(open[row]!, high[row]!, low[row]!, close[row]!) ??
    (volume[row]! >= 0
      ? null
      : fault('volume', volume[row]!, 'is below zero.', 'A volume is 0 or more.'))
  );
}

function checkTime(time: Float64Array, row: number, interval: Interval): CandleFault | null {
  const now = time[row]!;
  const isIn = now >= 0 && now < LATEST;
  if (!isIn || !Number.isInteger(now) || barOpenTime(now, interval) !== now) {
    const unit = now < EARLIEST && !isDate(now) ? MILLISECONDS : unitOf(now);
    if (unit !== MILLISECONDS) {
      return fault('timestamp', now, `looks like a time in ${unit}.`, TIMES_REMEDY);
    }
    const below = Number.isFinite(now) ? barOpenTime(now, interval) : 0;
    const remedy = `Bars of ${interval} open at multiples of ${INTERVAL_MS[interval]} ms (UTC), such as ${below}; is the interval right, and are these milliseconds?`;
    return fault('timestamp', now, 'is not the open time of a bar.', remedy);
  }
  if (row === 0 || now > time[row - 1]!) return null;
  const what = now === time[row - 1] ? 'occurs twice.' : `follows ${time[row - 1]}.`;
  return fault('timestamp', now, what, 'Sort rows by timestamp, one row a bar.');
}

function checkPrices(open: number, high: number, low: number, close: number): CandleFault | null {
  if (high < low) return fault('high', high, `is below the low, ${low}.`, ORDER_REMEDY);
  if (low <= 0) return fault('low', low, 'is not a price.', 'Prices are above 0.');
  for (const [name, price] of [
    ['open', open],
    ['close', close],
  ] as const) {
    if (price <= 0) return fault(name, price, 'is not a price.', 'Prices are above 0.');
    if (price >= low && price <= high) continue;
    return fault(name, price, `is outside low ${low} and high ${high}.`, ORDER_REMEDY);
  }
  return null;
}

function fault(column: string, value: number, message: string, remedy: string): CandleFault {
  return { column, value: String(value), message, remedy };
}
