import { barCloseTime, barOpenTime, INTERVAL_MS, type Interval } from '../../src/contract/index.ts';
import {
  aggregateBars,
  barsOfTrades,
  timeText,
  type Candles,
  type Span,
  type TradeTape,
} from '../../src/paper/index.ts';

/** Bars of an interval, and what was left out at their ends. */
export interface Made {
  columns: Candles;
  notes: string[];
}

/** Whether bars of one interval add up to bars of another. */
export function isMultiple(longer: Interval, shorter: Interval): boolean {
  return INTERVAL_MS[longer] % INTERVAL_MS[shorter] === 0;
}

/**
 * Longer bars, at the boundaries of UTC. A bar is built from the shorter ones that exist; without any, it
 * is absent. A first or last bar that the data covers only in part is left out, unless requested.
 */
export function resampleBars(
  bars: Candles,
  { from, to, keepPartial }: { from: Interval; to: Interval; keepPartial: boolean },
): Made {
  const last = barCloseTime(bars.time[bars.time.length - 1]!, from);
  const { span, notes } = spanOf({ from: bars.time[0]!, until: last }, to, { keepPartial });
  return { columns: aggregateBars(bars, to, span), notes };
}

/** Bars of trades; the data begins with the first trade and ends with the last. */
export function tradesToBars(
  tape: TradeTape,
  { to, keepPartial }: { to: Interval; keepPartial: boolean },
): Made {
  const covered = { from: tape.time[0]!, until: tape.time[tape.time.length - 1]! };
  // The bar of the last trade has begun, if it is at its very opening.
  const { span, notes } = spanOf(covered, to, { keepPartial, isOpenEnd: true });
  return { columns: barsOfTrades(tape, to, span), notes };
}

function spanOf(
  data: Span,
  to: Interval,
  { keepPartial, isOpenEnd = false }: { keepPartial: boolean; isOpenEnd?: boolean },
): { span: Span; notes: string[] } {
  if (keepPartial) return { span: { from: -Infinity, until: Infinity }, notes: [] };
  const first = barOpenTime(data.from, to);
  const last = barOpenTime(data.until, to);
  const notes: string[] = [];
  if (first < data.from) notes.push(leftOut('first', first, `begins ${timeText(data.from)}`));
  if (isOpenEnd || last < data.until)
    notes.push(leftOut('last', last, `ends ${timeText(data.until)}`));
  const from = first < data.from ? barCloseTime(first, to) : first;
  return { span: { from, until: last }, notes };
}

function leftOut(which: string, bar: number, why: string): string {
  return `The ${which} bar, ${timeText(bar)}, is left out: the data ${why} (--keep-partial keeps it).`;
}
