import { barOpenTime, type Interval } from '../../contract/index.ts';
import type { Feed } from './Feed.ts';
import { NumberColumn } from './NumberColumn.ts';
import type { TradeTape } from './Tape.ts';

export type Candles = Omit<Feed, 'symbol' | 'interval' | 'tape'>;

/** Beyond this, integers are no longer exact. */
const EXACT = 2 ** 53;

/** A span, epoch milliseconds: `from` inclusive, `until` exclusive. */
export interface Span {
  from: number;
  until: number;
}

/**
 * Candles of the trades in a span, as exchanges build them: a bar has the trades from its open time until
 * just before the next; a bar without trades is absent.
 */
export function barsOfTrades(tape: TradeTape, interval: Interval, span: Span): Candles {
  const { time, price, size } = tape;
  const trades = { time, open: price, high: price, low: price, close: price, volume: size };
  return aggregateBars(trades, interval, span);
}

/**
 * Longer bars from the shorter ones that open in a span; a bar without any is absent. Volumes are summed
 * as integer steps, so that the decimals are exact.
 */
export function aggregateBars(shorter: Candles, interval: Interval, span: Span): Candles {
  const { time, volume: size } = shorter;
  const { from, until } = span;
  const bars = {
    time: new NumberColumn(),
    open: new NumberColumn(),
    high: new NumberColumn(),
    low: new NumberColumn(),
    close: new NumberColumn(),
    volume: new NumberColumn(),
  };
  const power = stepsOf(size);
  let bar = { time: NaN, open: 0, high: 0, low: 0, close: 0, steps: 0, sum: 0 };
  const flush = (): void => {
    if (Number.isNaN(bar.time)) return;
    const volume = bar.steps < EXACT ? bar.steps / power : bar.sum;
    const { steps: _steps, sum: _sum, ...rest } = bar;
    for (const [name, value] of Object.entries({ ...rest, volume })) {
      bars[name as keyof typeof bars].push(value);
    }
  };
  for (let index = 0; index < time.length; index++) {
    const at = time[index]!;
    if (at < from || at >= until) continue;
    const amount = size[index]!;
    const open = barOpenTime(at, interval);
    if (open !== bar.time) {
      flush();
      const first = shorter.open[index]!;
      bar = { time: open, open: first, high: first, low: first, close: first, steps: 0, sum: 0 };
    }
    bar.high = Math.max(bar.high, shorter.high[index]!);
    bar.low = Math.min(bar.low, shorter.low[index]!);
    bar.close = shorter.close[index]!;
    bar.steps += Math.round(amount * power);
    bar.sum += amount;
  }
  flush();
  return {
    time: bars.time.toArray(),
    open: bars.open.toArray(),
    high: bars.high.toArray(),
    low: bars.low.toArray(),
    close: bars.close.toArray(),
    volume: bars.volume.toArray(),
  };
}

/** The power of ten that makes every size an integer. */
function stepsOf(size: Float64Array): number {
  let power = 1;
  for (const amount of size) {
    while (power < 1e12 && Math.round(amount * power) / power !== amount) power *= 10;
  }
  return power;
}
