import { INTERVAL_MS } from '../../../contract/index.ts';
import { addSize, type SizeSum } from '../../../contract/sizes.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../contract/durations.ts';
import type { ReportCandles, ReportFill } from '../ReportData.ts';

/** What a market takes, by the fills in it and the volumes of its bars; quote units. */
export interface SymbolCapacity {
  /** Takes the fills and bars up to an instant, which must not be before the last one. */
  advance(until: number): void;
  /** Whether it was traded, and not yet forgotten. */
  isActive(): boolean;
  /** Fills since the last snapshot that was followed by one. */
  readonly trades: number;
  /** Notional of the fills since the last snapshot. */
  readonly sold: number;
  /** The share that one may take of what was traded after these fills. */
  readonly volume: number;
  /** |size| × last close, over strategies. */
  held(): number;
  /** After a snapshot: begins anew with the next fill, and forgets the market a month after the last one. */
  reset(now: number): void;
}

/** How long a fill counts. */
const MEMORY_MS = 30 * DAY_MS;
/** Minutes of a session of stocks: fills less than half of one apart count less of the volume, down to a fifth. */
const SESSION_MINUTES = 390;
const LEAST_SHARE = 0.2;
/** A market that trades this much a minute is taken from for one minute after a fill, a thinner one for longer. */
const MINUTE_VOLUME = 6_000_000;
const [FIRST_MINUTES, MOST_MINUTES] = [10, 120];

/**
 * One market's part of {@link capacityOf}.
 *
 * @param fills of the symbol, ascending in time
 */
export function createSymbolCapacity(
  candles: ReportCandles | undefined,
  fills: readonly ReportFill[],
): SymbolCapacity {
  const { time = [], close = [], volume = [] } = candles ?? {};
  const lengthMs = candles === undefined ? 0 : INTERVAL_MS[candles.interval];
  const share = lengthMs < HOUR_MS ? 0.2 : lengthMs < DAY_MS ? 0.05 : 0.02;
  const endOf = (bar: number): number => time[bar]! + lengthMs;
  const sizes = new Map<string, SizeSum>();
  let [nextFill, nextBar] = [0, 0];
  let [trades, sold, taken, isStale] = [0, 0, 0, false];
  let isWatched = false;
  /** End of the bar that holds the last fill; null before the first. */
  let filledAt: number | null = null;
  let discount = 1;
  let lastBar: { end: number; volume: number } | null = null;
  let price = 0;

  function takeFill(fill: ReportFill): void {
    const { strategy, side, size } = fill;
    const held = sizes.get(strategy) ?? { size: 0, dust: 0 };
    addSize(held, side === 'buy' ? size : -size);
    sizes.set(strategy, held);
    if (nextBar === 0) price = fill.price;
    sold += fill.price * size;
    const at = nextBar < time.length ? endOf(nextBar) : fill.time;
    const minutes = filledAt === null ? Infinity : (at - filledAt) / MINUTE_MS;
    discount = Math.min(1, Math.max(LEAST_SHARE, (2 * minutes) / SESSION_MINUTES));
    if (isStale) [taken, trades, isStale] = [0, 0, false];
    trades += 1;
    filledAt = at;
    isWatched = true;
  }

  function takeBar(bar: number): void {
    price = close[bar]!;
    const traded = volume[bar] ?? 0;
    if (!isWatched || traded === 0) return;
    const end = endOf(bar);
    const minutes = lastBar === null ? 0 : (end - lastBar.end) / MINUTE_MS;
    const aMinute = minutes === 0 ? price * traded : (price * (traded + lastBar!.volume)) / minutes;
    lastBar = { end, volume: traded };
    isWatched = end <= filledAt! + patienceMs(aMinute);
    if (isWatched) taken += price * traded * discount;
  }

  /** From an hour on, only the bar that holds the fill counts. */
  function patienceMs(aMinute: number): number {
    if (lengthMs >= HOUR_MS) return 0;
    const minutes = aMinute === 0 ? FIRST_MINUTES : MINUTE_VOLUME / aMinute;
    return Math.floor(Math.min(MOST_MINUTES, Math.max(1, minutes))) * MINUTE_MS;
  }

  return {
    advance(until) {
      for (;;) {
        const bar = nextBar < time.length ? endOf(nextBar) : Infinity;
        const fill = fills[nextFill]?.time ?? Infinity;
        if (Math.min(bar, fill) > until) return;
        // A fill belongs to the bar that it is in, whose volume is known at its end.
        if (fill <= bar) takeFill(fills[nextFill++]!);
        else takeBar(nextBar++);
      }
    },
    isActive: () => filledAt !== null,
    get trades() {
      return trades;
    },
    get sold() {
      return sold;
    },
    get volume() {
      return taken * share;
    },
    held: () => [...sizes.values()].reduce((sum, { size }) => sum + Math.abs(size), 0) * price,
    reset(now) {
      isStale = true;
      sold = 0;
      const isFlat = [...sizes.values()].every(({ size }) => size === 0);
      if (!isFlat || filledAt === null || now < filledAt + MEMORY_MS) return;
      [trades, taken, filledAt, lastBar, isStale, isWatched] = [0, 0, null, null, false, false];
    },
  };
}
