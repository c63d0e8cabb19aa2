import {
  barCloseTime,
  barOpenTime,
  INTERVAL_MS,
  type CandleRecord,
  type Interval,
} from '../../contract/index.ts';
import type { FeedBar } from '../../paper/index.ts';
import type { SymbolBars } from './ShadowMessage.ts';

export interface BarCollector {
  /** Candles as they arrive, closed ones and the one in progress, of any interval. */
  take(symbol: string, interval: Interval, candles: readonly CandleRecord[]): void;
}

export interface BarCollectorOptions {
  symbols: ReadonlyArray<{ symbol: string; interval: Interval }>;
  /** Bars closed for the first time: what was before is history, up to `startTime`. */
  onBegin(startTime: number, history: readonly SymbolBars[]): void;
  /** All that closed at one instant; instants come in their order. */
  onBars(bars: readonly SymbolBars[]): void;
}

/** A symbol without bars holds the others up for so many instants. */
const MOST_PENDING = 60;

/**
 * Makes instants of the candles that a bot receives anyway: of each symbol the bars of one interval, complete
 * when every symbol's bar of that instant has come, or one of a later instant has.
 */
export function collectBars(options: BarCollectorOptions): BarCollector {
  const { symbols, onBegin, onBars } = options;
  const intervals = new Map(symbols.map(({ symbol, interval }) => [symbol, interval]));
  const layers = new Map(
    symbols.map(({ symbol }) => [symbol, new Map<Interval, CandleRecord[]>()]),
  );
  /** Open time of the newest bar of a symbol that was handed on. */
  const newest = new Map<string, number>();
  /** Instants that are not complete, by their time. */
  const pending = new Map<number, Map<string, FeedBar>>();
  let flushedTime = 0;
  let hasBegun = false;

  function learn(symbol: string, interval: Interval, candles: readonly CandleRecord[]): void {
    const known = layers.get(symbol)?.get(interval) ?? [];
    const byTime = new Map([...known, ...candles].map((candle) => [candle.time, candle]));
    const all = [...byTime.values()].toSorted((one, other) => one.time - other.time);
    layers.get(symbol)?.set(interval, all);
  }

  function begin(): void {
    hasBegun = true;
    const last = symbols.map(({ symbol, interval }) => {
      const closed = (layers.get(symbol)?.get(interval) ?? []).filter((bar) => bar.closed);
      return closed.length === 0 ? 0 : barCloseTime(closed.at(-1)!.time, interval);
    });
    const startTime = Math.max(...last);
    const history = symbols.map(({ symbol, interval }) => ({
      symbol,
      bars: toHistory(layers.get(symbol)!, interval, startTime),
    }));
    flushedTime = startTime;
    for (const { symbol, bars } of history) newest.set(symbol, bars.at(-1)?.time ?? -Infinity);
    layers.clear();
    onBegin(startTime, history);
  }

  function flush(): void {
    const times = [...pending.keys()].toSorted((one, other) => one - other);
    for (const [at, closeTime] of times.entries()) {
      const isComplete = symbols.every(
        ({ symbol, interval }) =>
          (newest.get(symbol) ?? -Infinity) + INTERVAL_MS[interval] >= closeTime,
      );
      if (!isComplete && times.length - at <= MOST_PENDING) return;
      const bars = pending.get(closeTime)!;
      pending.delete(closeTime);
      flushedTime = closeTime;
      onBars([...bars].map(([symbol, bar]) => ({ symbol, bars: [bar] })));
    }
  }

  function close(symbol: string, bar: CandleRecord, interval: Interval): void {
    const closeTime = barCloseTime(bar.time, interval);
    if (bar.time <= (newest.get(symbol) ?? -Infinity) || closeTime <= flushedTime) return;
    newest.set(symbol, bar.time);
    const bars = pending.get(closeTime) ?? new Map<string, FeedBar>();
    pending.set(closeTime, bars.set(symbol, toBar(bar)));
    flush();
  }

  return {
    take(symbol, interval, candles) {
      const own = intervals.get(symbol);
      if (own === undefined) return;
      if (!hasBegun) {
        const isSnapshot = candles.length !== 1 || !candles[0]!.closed;
        const isFirst = (layers.get(symbol)?.get(interval) ?? []).length === 0;
        if (isSnapshot || isFirst || interval !== own) return learn(symbol, interval, candles);
        begin();
      }
      if (interval !== own) return;
      for (const candle of candles) if (candle.closed) close(symbol, candle, interval);
    },
  };
}

const toBar = ({ time, open, high, low, close, volume }: CandleRecord): FeedBar => ({
  time,
  open,
  high,
  low,
  close,
  volume,
});

/** A bar, and since when it counts: one of a longer interval stands at its own close. */
interface Placed {
  from: number;
  bar: FeedBar;
}

/**
 * History in bars of the shortest interval. Where only longer bars reach back, each is one short bar at the end
 * of its span, so that bars aggregated from them are the service's own.
 */
export function toHistory(
  layers: ReadonlyMap<Interval, readonly CandleRecord[]>,
  shortest: Interval,
  startTime: number,
): FeedBar[] {
  const shortMs = INTERVAL_MS[shortest];
  let cover: Placed[] = (layers.get(shortest) ?? [])
    .filter((bar) => bar.closed && barCloseTime(bar.time, shortest) <= startTime)
    .map((bar) => ({ from: bar.time, bar: toBar(bar) }));
  const longer = [...layers]
    .filter(([interval]) => INTERVAL_MS[interval] > shortMs)
    .filter(([interval]) => INTERVAL_MS[interval] % shortMs === 0)
    .toSorted(([one], [other]) => INTERVAL_MS[one] - INTERVAL_MS[other]);
  for (const [interval, bars] of longer) {
    const first = cover[0]?.from ?? startTime;
    if ((bars[0]?.time ?? Infinity) >= first) continue;
    const opened = barOpenTime(first, interval);
    const next = opened === first ? first : barCloseTime(opened, interval);
    // The bar in progress at the start begins before what is covered: it is taken as far as it has run.
    const cut = next <= startTime ? next : barOpenTime(startTime, interval);
    const place = (bar: CandleRecord, end: number): Placed => ({
      from: bar.time,
      bar: { ...toBar(bar), time: end - shortMs },
    });
    const before = bars
      .filter((bar) => bar.closed && barCloseTime(bar.time, interval) <= cut)
      .map((bar) => place(bar, barCloseTime(bar.time, interval)));
    const running = bars.find((bar) => !bar.closed && bar.time === cut);
    const isCut = next > startTime && running !== undefined && startTime > cut;
    const after = isCut ? [place(running, startTime)] : cover.filter(({ from }) => from >= cut);
    cover = [...before, ...after];
  }
  return cover.map(({ bar }) => bar);
}
