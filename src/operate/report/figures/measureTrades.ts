import { INTERVAL_MS } from '../../../contract/index.ts';
import { countBefore } from '../../../env/countUntil.ts';
import type { ReportCandles, ReportData } from '../ReportData.ts';
import type { RoundTrip } from '../roundTrips.ts';
import { createRange, type Range } from './createRange.ts';

/** A trade with how far the price went against it and for it. */
export interface MeasuredTrade extends RoundTrip {
  /** P&L over the largest size at the average entry price; 0.1 is 10 %. */
  return: number | null;
  /**
   * Maximum adverse excursion: the worst price while it was open against the average entry price, as a share of it, zero
   * or less. Null if the symbol has no bars.
   */
  mae: number | null;
  /** Maximum favourable excursion: the best one, zero or more. */
  mfe: number | null;
}

interface Bars {
  candles: ReportCandles;
  range: Range;
}

/**
 * Measures trades by the bars that lie in them whole, and by their exit: what a bar's other part did before the entry or
 * after the exit is not the trade's. Sweeney, "Maximum Adverse Excursion" (1997); Lean's `Trade.MAE` is the same in money.
 */
export function measureTrades(
  trades: readonly RoundTrip[],
  { symbols, endTime }: Pick<ReportData, 'symbols' | 'endTime'>,
): MeasuredTrade[] {
  const bars = new Map<string, Bars>();
  for (const [symbol, candles] of Object.entries(symbols)) {
    bars.set(symbol, { candles, range: createRange(candles.low, candles.high) });
  }
  return trades.map((trade) => {
    const notional = trade.entry_price * trade.size;
    const result = notional === 0 ? null : trade.pnl / notional;
    const known = bars.get(trade.symbol);
    if (known === undefined) return { ...trade, return: result, mae: null, mfe: null };
    return { ...trade, return: result, ...excursions(trade, known, endTime) };
  });
}

function excursions(
  trade: RoundTrip,
  { candles, range }: Bars,
  endTime: number,
): { mae: number; mfe: number } {
  const { time, interval } = candles;
  const from = countBefore(time, trade.entry_time);
  const last = (trade.exit_time ?? endTime) - INTERVAL_MS[interval];
  const until = countBefore(time, last + 1);
  const inside = range.of(from, Math.max(from, until));
  const exit = trade.exit_price ?? trade.entry_price;
  const [low, high] = [Math.min(inside.low, exit), Math.max(inside.high, exit)];
  const { entry_price: entry } = trade;
  const [fall, rise] = [Math.min(0, low / entry - 1), Math.max(0, high / entry - 1)];
  return trade.side === 'long' ? { mae: fall, mfe: rise } : { mae: 0 - rise, mfe: 0 - fall };
}
