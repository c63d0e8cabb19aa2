import { barOpenTime, INTERVAL_MS, type Interval } from '../../contract/index.ts';
import { barsOfTrades, type Candles } from './barsOfTrades.ts';
import type { Feed } from './Feed.ts';
import type { BookTape, Tape, TradeTape } from './Tape.ts';
import { toCandles } from './toCandles.ts';

export interface Recorded {
  trades: TradeTape | null;
  book: BookTape | null;
}

/**
 * A feed with the recording of its market. Bars that the recording covers completely are built from its
 * trades; without candles the feed consists of those bars alone.
 *
 * @returns null if the recording covers no whole bar
 */
export function withTape(
  { symbol, interval, candles }: { symbol: string; interval: Interval; candles: Candles | null },
  { trades, book }: Recorded,
): Feed | null {
  const span = spanOf(interval, { trades, book });
  if (span.from >= span.until) return null;
  const tape: Tape = { ...span, trades, book };
  const made = trades === null ? null : barsOfTrades(trades, interval, span);
  const bars = made === null ? candles : candles === null ? made : merge(candles, made, span);
  return bars === null || bars.time.length === 0 ? null : { symbol, interval, ...bars, tape };
}

/** From the first boundary after all sources have begun to the last one before any of them ends. */
function spanOf(interval: Interval, recorded: Recorded): { from: number; until: number } {
  const starts: number[] = [];
  const ends: number[] = [];
  for (const time of [recorded.trades?.time, recorded.book?.time]) {
    if (time === undefined) continue;
    // A book of changes begins with a snapshot, which applies from the first change.
    starts.push(time.find((at) => at > -Infinity) ?? Infinity);
    ends.push(time[time.length - 1]!);
  }
  const start = Math.max(...starts);
  const open = barOpenTime(start, interval);
  const from = open === start ? open : open + INTERVAL_MS[interval];
  return { from, until: barOpenTime(Math.min(...ends), interval) };
}

/** A candle without a recorded trade stays only if its own volume is zero. */
function merge(candles: Candles, made: Candles, span: { from: number; until: number }): Candles {
  const { time, volume } = candles;
  const own = new Set(made.time);
  const rows: Array<{ from: Candles; index: number }> = [];
  for (const [index, at] of time.entries()) {
    const isCovered = at >= span.from && at < span.until;
    const isSilent = volume[index] === 0 && !own.has(at);
    if (!isCovered || isSilent) rows.push({ from: candles, index });
  }
  for (const index of made.time.keys()) rows.push({ from: made, index });
  rows.sort((a, b) => a.from.time[a.index]! - b.from.time[b.index]!);
  return toCandles(rows, ({ from, index }, name) => from[name][index]!);
}
