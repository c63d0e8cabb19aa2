import type { Interval } from '../../contract/index.ts';
import type { BarReader, SpanControl } from '../../env/index.ts';

/** How a replay was walked: what a report of its time shows. */
export interface WalkReport {
  /** Bars of the finest feed that were stepped one by one, since something else could happen in them. */
  stepped: number;
  /** Stretches that were walked as spans, by length: at `n`, those of 2ⁿ to 2ⁿ⁺¹ − 1 bars. */
  spans: readonly number[];
  /** Bars in them. */
  spanned: number;
  /** Of each symbol and interval: the bars in spans, and those of them that a reader had to take. */
  lanes: readonly WalkedLane[];
  /** Who took each bar, by whose subscription no stretch could be looked through. */
  readers: readonly WalkedReader[];
}

export interface WalkedReader extends BarReader {
  /** Of the call that asked for the bars. */
  stack: string;
}

export interface WalkedLane {
  symbol: string;
  interval: Interval;
  bars: number;
  taken: number;
}

/** Counts how a replay is walked. */
export interface WalkCounter {
  /** The counts of a symbol and interval, to be raised by whoever walks its bars. */
  laneOf(symbol: string, interval: Interval): WalkedLane;
  /** A stretch of so many bars of the finest feed was walked as a span. */
  count(bars: number): void;
  noteReader: SpanControl['noteReader'];
  /** @param startTime of the replay, epoch milliseconds */
  report(startTime: number, now: number): WalkReport;
}

/** @param stepMs bar of the finest feed, milliseconds */
export function createWalkCounter(stepMs: number): WalkCounter {
  const lanes = new Map<string, WalkedLane>();
  const readers = new Map<string, WalkedReader>();
  const spans: number[] = [];
  let spanned = 0;
  return {
    laneOf(symbol, interval) {
      const name = `${symbol} ${interval}`;
      const known = lanes.get(name) ?? { symbol, interval, bars: 0, taken: 0 };
      lanes.set(name, known);
      return known;
    },
    count(bars) {
      const place = Math.floor(Math.log2(Math.max(1, bars)));
      while (spans.length <= place) spans.push(0);
      spans[place]! += 1;
      spanned += bars;
    },
    noteReader(stack, describe) {
      if (!readers.has(stack)) readers.set(stack, { ...describe(), stack });
    },
    report: (startTime, now) => ({
      stepped: Math.round((now - startTime) / stepMs - spanned),
      spans,
      spanned,
      lanes: [...lanes.values()].map(({ bars, ...lane }) => ({ ...lane, bars: bars + lane.taken })),
      readers: [...readers.values()],
    }),
  };
}
