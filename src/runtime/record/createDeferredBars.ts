import type { BarColumns, BarTaker } from '../../env/index.ts';
import type { InstantColumns } from './createInstants.ts';

/** What a symbol's bars change in the books of a bot. */
export interface ValuedBars {
  symbol: string;
  intervalMs: number;
  /** Of bars that close together, those with the lower rank come first. */
  rank: number;
  /** The bar closed, and everything else of the bot is as it was then. */
  take(bar: BarRow): void;
  /** The same of the last of many bars; the instants of all are given on their own. */
  takeLast(bar: BarRow): void;
}

/** One row: what a mark needs. */
export interface BarRow {
  time: number;
  close: number;
}

/** Bars that came as columns, put off until somebody reads what they change. */
export interface DeferredBars {
  /** Makes what takes the bars of a symbol. */
  lane(valued: ValuedBars): BarTaker;
  /** Makes up for all bars so far, in their order. */
  settle(): void;
}

export interface DeferredBarsOptions {
  /** Adds the symbols whose price changes what the bot is worth. */
  priced(symbols: Set<string>): void;
  /** Whether instants at which prices change are taken as columns. */
  takeColumns(): boolean;
  /**
   * Bars closed at these instants. Afterwards each symbol's last bar is taken, then `onTaken` is called.
   *
   * @param setPrices takes the bars of what is held at one of the instants, by its place
   */
  onInstants(instants: InstantColumns, setPrices: (at: number) => void): void;
  onTaken(time: number): void;
}

/** As many instants are settled at once. */
const MOST_INSTANTS = 4_096;

/** The rows of a symbol that are put off: from `at` to `end`. */
interface DeferredLane extends ValuedBars {
  bars: BarColumns | null;
  at: number;
  end: number;
  /** Of the instants that are settled at once: the first row, and the close at each if the symbol is held. */
  first: number;
  isHeld: boolean;
  closes: Float64Array | null;
}

export function createDeferredBars(options: DeferredBarsOptions): DeferredBars {
  const lanes: DeferredLane[] = [];
  let isPending = false;
  let isSettling = false;
  const times = new Float64Array(MOST_INSTANTS);
  const row: BarRow = { time: 0, close: 0 };
  const held = new Set<string>();
  const prices = new Map<string, Float64Array>();

  function settle(): void {
    // What takes a bar reads other books, which are made up for one after another.
    if (!isPending || isSettling) return;
    isSettling = true;
    findHeld();
    if (held.size > 0 && !options.takeColumns()) settleEach();
    else settleColumns();
    isPending = false;
    isSettling = false;
  }

  function findHeld(): void {
    held.clear();
    prices.clear();
    options.priced(held);
    for (let index = 0; index < lanes.length; index++) {
      const lane = lanes[index]!;
      lane.isHeld = held.has(lane.symbol);
      if (lane.isHeld) prices.set(lane.symbol, (lane.closes ??= new Float64Array(MOST_INSTANTS)));
    }
  }

  const rowOf = ({ bars }: DeferredLane, at: number): BarRow => {
    row.time = bars!.time[at]!;
    row.close = bars!.close[at]!;
    return row;
  };

  const closesAt = ({ bars, at, end, intervalMs }: DeferredLane, time: number): boolean =>
    at < end && bars!.time[at]! + intervalMs === time;

  function nextClose(): number {
    let next = Infinity;
    for (let index = 0; index < lanes.length; index++) {
      const { bars, at, end, intervalMs } = lanes[index]!;
      if (at < end && bars!.time[at]! + intervalMs < next) next = bars!.time[at]! + intervalMs;
    }
    return next;
  }

  function settleEach(): void {
    for (let time = nextClose(); time < Infinity; time = nextClose()) settleOne(time);
  }

  function settleOne(time: number): void {
    for (let index = 0; index < lanes.length; index++) {
      const lane = lanes[index]!;
      if (closesAt(lane, time)) lane.take(rowOf(lane, lane.at++));
    }
  }

  function settleColumns(): void {
    for (let time = nextClose(); time < Infinity; time = nextClose()) {
      for (const lane of lanes) lane.first = lane.at;
      const count = lanes.length === 1 ? readOne(lanes[0]!) : readTogether() || readAll();
      // Without a bar of its own at an instant, what is held awaits one there.
      if (count === 0) settleOne(time);
      else give(count);
    }
  }

  /** Nearly all runs have one symbol. */
  function readOne(lane: DeferredLane): number {
    const count = Math.min(lane.end - lane.at, MOST_INSTANTS);
    writeTimes(lane, count);
    moveBy(lane, count);
    return count;
  }

  function writeTimes({ bars, at: first, intervalMs }: DeferredLane, count: number): void {
    const opens = bars!.time;
    for (let at = 0; at < count; at++) times[at] = opens[first + at]! + intervalMs;
  }

  /** As many instants as have been read, each with a bar of the lane. */
  function moveBy(lane: DeferredLane, count: number): void {
    const { bars, at: first, isHeld, closes } = lane;
    const { close } = bars!;
    if (isHeld) for (let at = 0; at < count; at++) closes![at] = close[first + at]!;
    lane.at += count;
  }

  /** The instants from now on at which every lane closes a bar, each lane read as a column; mostly that is all. */
  function readTogether(): number {
    const [first] = lanes;
    let count = Math.min(first!.end - first!.at, MOST_INSTANTS);
    if (count > 0) writeTimes(first!, count);
    for (let index = 1; index < lanes.length && count > 0; index++) {
      const { bars, at: from, end, intervalMs } = lanes[index]!;
      const most = Math.min(count, end - from);
      count = 0;
      while (count < most && bars!.time[from + count]! + intervalMs === times[count]) count++;
    }
    if (count > 0) for (const lane of lanes) moveBy(lane, count);
    return count;
  }

  /** Bars that close together are one instant. */
  function readAll(): number {
    let count = 0;
    for (let time = nextClose(); time < Infinity && count < MOST_INSTANTS; time = nextClose()) {
      if (lacksHeld(time)) return count;
      times[count] = time;
      for (let index = 0; index < lanes.length; index++) {
        const lane = lanes[index]!;
        if (!closesAt(lane, time)) continue;
        if (lane.isHeld) lane.closes![count] = lane.bars!.close[lane.at]!;
        lane.at++;
      }
      count++;
    }
    return count;
  }

  function lacksHeld(time: number): boolean {
    for (let index = 0; index < lanes.length; index++) {
      const lane = lanes[index]!;
      if (lane.isHeld && !closesAt(lane, time)) return true;
    }
    return false;
  }

  function give(count: number): void {
    options.onInstants({ times, count, prices }, (at) => {
      for (const lane of lanes) if (lane.isHeld) lane.takeLast(rowOf(lane, lane.first + at));
    });
    for (let index = 0; index < lanes.length; index++) {
      const lane = lanes[index]!;
      if (lane.at > lane.first) lane.takeLast(rowOf(lane, lane.at - 1));
    }
    options.onTaken(times[count - 1]!);
  }

  return {
    lane(valued) {
      const none = { bars: null, at: 0, end: 0, first: 0, isHeld: false, closes: null };
      const lane: DeferredLane = { ...valued, ...none };
      lanes.push(lane);
      lanes.sort((one, other) => one.rank - other.rank);
      const defer = (bars: BarColumns, from: number, to: number): void => {
        if (lane.end !== from || lane.bars !== bars) {
          // Rows are put off in one piece; what came as frames meanwhile counted at once.
          if (lane.at < lane.end) settle();
          lane.bars = bars;
          lane.at = from;
        }
        lane.end = to;
        isPending = true;
      };
      return {
        takes: 'none',
        next: (_bars, _from, to) => to,
        take: (bars, at) => defer(bars, at, at + 1),
        pass: defer,
      };
    },
    settle,
  };
}
