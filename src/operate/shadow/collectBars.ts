import {
  barCloseTime,
  barOpenTime,
  INTERVAL_MS,
  type CandleRecord,
  type Interval,
} from '../../contract/index.ts';
import type { FeedBar } from '../../paper/index.ts';
import type { SymbolBars } from './ShadowMessage.ts';

/** Who sees the candles that a bot receives. */
export interface CandleReader {
  /** Candles as they arrive, closed ones and the one in progress, of any interval. */
  take(symbol: string, interval: Interval, candles: readonly CandleRecord[]): void;
  /** The bot has asked for candles. To be called back when they have come, or will not come. */
  expect(symbol: string): () => void;
}

export interface BarCollectorOptions {
  symbols: ReadonlyArray<{ symbol: string; interval: Interval }>;
  /** A bar has closed for the first time: what was before is history, up to `startTime`; each symbol has some. */
  onBegin(startTime: number, history: readonly SymbolBars[]): void;
  /** All that closed at one instant; instants come in their order. */
  onBars(bars: readonly SymbolBars[]): void;
}

/** A symbol without bars holds the others up for so many instants, and history that does not come the beginning. */
const MOST_PENDING = 60;

/**
 * Makes instants of the candles that a bot receives anyway: of each symbol the bars of one interval, complete
 * when every symbol's bar of that instant has come, or one of a later instant has.
 */
export function collectBars(options: BarCollectorOptions): CandleReader {
  const { symbols, onBegin, onBars } = options;
  const intervals = new Map(symbols.map(({ symbol, interval }) => [symbol, interval]));
  const layers = new Map(
    symbols.map(({ symbol }) => [symbol, new Map<Interval, CandleRecord[]>()]),
  );
  /** Open time of the newest bar of a symbol that was handed on. */
  const newest = new Map<string, number>();
  /** Instants that are not complete, by their time. */
  const pending = new Map<number, Map<string, FeedBar>>();
  /** Candles that were asked for, each with a sign of its own. */
  const expected = new Set<object>();
  let flushedTime = 0;
  let hasBegun = false;
  /** Open time of the earliest bar that closed while the bot ran. */
  let firstLive = Infinity;

  function learn(symbol: string, interval: Interval, candles: readonly CandleRecord[]): void {
    const known = layers.get(symbol)?.get(interval) ?? [];
    const byTime = new Map([...known, ...candles].map((candle) => [candle.time, candle]));
    const all = [...byTime.values()].toSorted((one, other) => one.time - other.time);
    layers.get(symbol)?.set(interval, all);
  }

  const closesOf = (symbol: string, interval: Interval): number[] =>
    (layers.get(symbol)?.get(interval) ?? [])
      .filter((bar) => bar.closed)
      .map((bar) => barCloseTime(bar.time, interval));

  /** Whether a bar that has just closed is the time to begin: a market without bars can't be played. */
  function isReady(closeTime: number, interval: Interval): boolean {
    const isLong = closeTime - firstLive > MOST_PENDING * INTERVAL_MS[interval];
    if (expected.size > 0 && !isLong) return false;
    return symbols.every((own) => closesOf(own.symbol, own.interval).length > 0);
  }

  function begin(): void {
    hasBegun = true;
    const closes = symbols.map(({ symbol, interval }) => closesOf(symbol, interval));
    const earliest = Math.max(...closes.map((each) => each[0]!));
    const latest = Math.max(...closes.map((each) => each.at(-1)!));
    // On a bar that closed while the bot ran the live version decided: it is a bar here, too.
    const startTime = Math.max(earliest, Math.min(firstLive, latest));
    const history = symbols.map(({ symbol, interval }) => ({
      symbol,
      bars: toHistory(layers.get(symbol)!, interval, startTime),
    }));
    flushedTime = startTime;
    for (const { symbol, bars } of history) newest.set(symbol, bars.at(-1)?.time ?? -Infinity);
    onBegin(startTime, history);
    const closed = symbols.flatMap(({ symbol, interval }) =>
      layers
        .get(symbol)!
        .get(interval)!
        .filter((bar) => bar.closed)
        .map((bar) => ({ symbol, bar, interval, at: barCloseTime(bar.time, interval) })),
    );
    layers.clear();
    // In the order of time: one that comes after its instant was handed on is left out.
    for (const { symbol, bar, interval } of closed.toSorted((one, other) => one.at - other.at))
      close(symbol, bar, interval);
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
        const isFirst = !layers.get(symbol)!.has(interval);
        learn(symbol, interval, candles);
        if (isSnapshot || isFirst || interval !== own) return;
        const { time } = candles[0]!;
        firstLive = Math.min(firstLive, time);
        if (isReady(barCloseTime(time, own), own)) begin();
        return;
      }
      if (interval !== own) return;
      for (const candle of candles) if (candle.closed) close(symbol, candle, interval);
    },
    expect(symbol) {
      const sign = {};
      if (intervals.has(symbol)) expected.add(sign);
      return () => void expected.delete(sign);
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
