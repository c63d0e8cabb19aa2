import { INTERVAL_MS } from '../../../contract/index.ts';
import { DAY_MS } from '../../../contract/durations.ts';
import { countBefore } from '../../../env/countUntil.ts';
import type { TimedValue } from '../../../statistics/index.ts';
import type { ReportCandles, ReportData, ReportFill } from '../ReportData.ts';
import { createSymbolCapacity, type SymbolCapacity } from './createSymbolCapacity.ts';

/** How much equity a strategy could trade with, as it was estimated during the run; quote units. */
export interface Capacity {
  /** The last estimate; null if there was none. */
  value: number | null;
  /** The market that bounds it. */
  symbol: string | null;
  /** The estimates, ascending in time. */
  course: { time: number; value: number; symbol: string }[];
}

const MOST_DAYS = 7;
/** Weights of a new estimate and of the one before it, as published; together they are 0.99. */
const [NEW, OLD] = [0.33, 0.66];

/**
 * QuantConnect Lean's estimated strategy capacity, `Common/CapacityEstimate.cs` and `Common/SymbolCapacity.cs`: each week,
 * of the market in which the bars after its fills had the least volume, that volume's share a fill, over the part that the
 * market has in the fills or in the equity. It is Lean's computation with these differences: a fill counts from the end of
 * the bar that holds it (Lean's fills come there), an interval below an hour has the shares of minutes and one below a day
 * those of hours, a position's worth is over all strategies, nothing is rounded, and the last bar counts once.
 *
 * @param fills ascending in time
 * @param equity of the whole run
 */
export function capacityOf(
  { symbols, startTime, endTime }: Pick<ReportData, 'symbols' | 'startTime' | 'endTime'>,
  fills: readonly ReportFill[],
  equity: readonly TimedValue[],
): Capacity {
  const markets = new Map<string, SymbolCapacity>();
  for (const [symbol, own] of Map.groupBy(fills, (fill) => fill.symbol))
    markets.set(symbol, createSymbolCapacity(symbols[symbol], own));
  const candles = Object.values(symbols).filter(({ time }) => time.length > 0);
  const result: Capacity = { value: null, symbol: null, course: [] };
  const periodMs = Math.max(1, Math.min((endTime - startTime) / DAY_MS - 1, MOST_DAYS)) * DAY_MS;
  const worthAt = createLookUp(equity);

  function estimate(time: number): boolean {
    for (const market of markets.values()) market.advance(time);
    const active = [...markets].filter(([, market]) => market.isActive());
    const worth = worthAt(time);
    if (active.length === 0 || !(worth > 0)) return false;
    const open = active.filter(([, { trades, volume }]) => trades > 0 && volume > 0);
    const [smallest] = open.toSorted(([, a], [, b]) => a.volume - b.volume);
    if (smallest !== undefined) {
      const [symbol, market] = smallest;
      const all = active.reduce((sum, [, { sold }]) => sum + sold, 0);
      const part = Math.max(all === 0 ? 0 : market.sold / all, market.held() / worth);
      const before = result.value ?? 0;
      const found = part === 0 ? before : market.volume / market.trades / part;
      const value = before === 0 ? found : NEW * found + OLD * before;
      Object.assign(result, { value, symbol });
      result.course.push({ time, value, symbol });
    }
    for (const [, market] of active) market.reset(time);
    return true;
  }

  let last = -Infinity;
  let due = dayOf(startTime) + periodMs;
  for (let time = nextEnd(candles, Math.ceil(due / DAY_MS) * DAY_MS); time <= endTime;) {
    const isDone = estimate(time);
    if (isDone) [due, last] = [dayOf(time) + periodMs, time];
    time = nextEnd(candles, isDone ? Math.ceil(due / DAY_MS) * DAY_MS : time + 1);
  }
  if (last < endTime) estimate(endTime);
  return result;
}

const dayOf = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

/** The first end of a bar at or after a time, of any symbol. */
function nextEnd(candles: readonly ReportCandles[], from: number): number {
  const ends = candles.map(({ time, interval }) => {
    const lengthMs = INTERVAL_MS[interval];
    const row = countBefore(time, from - lengthMs);
    return row === time.length ? Infinity : time[row]! + lengthMs;
  });
  return Math.min(Infinity, ...ends);
}

/** The value at times that ascend: that of the last point at or before each. */
function createLookUp(curve: readonly TimedValue[]): (time: number) => number {
  let at = 0;
  return (time) => {
    while (at + 1 < curve.length && curve[at + 1]![0] <= time) at++;
    return curve[at]?.[1] ?? 0;
  };
}
