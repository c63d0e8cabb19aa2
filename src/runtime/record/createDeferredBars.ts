import type { BarColumns, BarTaker } from '../../env/index.ts';

/** What a symbol's bars change in the books of a bot. */
export interface ValuedBars {
  intervalMs: number;
  /** Of bars that close together, those with the lower rank come first. */
  rank: number;
  /** The bar closed, and everything else of the bot is as it was then. */
  take(bar: BarRow): void;
  /** The same of the last of many bars of which no other counts. */
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
  /** Nothing is held whose worth a price could change. */
  isFlat(): boolean;
  /** Instants at which bars closed, ascending, and nothing was worth more or less at one than at another. */
  onFlatInstants(times: Float64Array, count: number): void;
}

/** As many instants are settled at once. */
const MOST_INSTANTS = 4_096;

/** The rows of a symbol that are put off: from `at` to `end`. */
interface DeferredLane extends ValuedBars {
  bars: BarColumns | null;
  at: number;
  end: number;
}

export function createDeferredBars({ isFlat, onFlatInstants }: DeferredBarsOptions): DeferredBars {
  const lanes: DeferredLane[] = [];
  let isPending = false;
  let isSettling = false;
  const times = new Float64Array(MOST_INSTANTS);
  const row: BarRow = { time: 0, close: 0 };

  function settle(): void {
    // What takes a bar reads other books, which are made up for one after another.
    if (!isPending || isSettling) return;
    isSettling = true;
    if (!isFlat()) settleEach();
    else if (lanes.length === 1) settleOnlyFlat(lanes[0]!);
    else settleFlat();
    isPending = false;
    isSettling = false;
  }

  const rowOf = ({ bars }: DeferredLane, at: number): BarRow => {
    row.time = bars!.time[at]!;
    row.close = bars!.close[at]!;
    return row;
  };

  function nextClose(): number {
    let next = Infinity;
    for (let index = 0; index < lanes.length; index++) {
      const { bars, at, end, intervalMs } = lanes[index]!;
      if (at < end && bars!.time[at]! + intervalMs < next) next = bars!.time[at]! + intervalMs;
    }
    return next;
  }

  function settleEach(): void {
    for (let time = nextClose(); time < Infinity; time = nextClose()) {
      for (let index = 0; index < lanes.length; index++) {
        const lane = lanes[index]!;
        if (lane.at === lane.end || lane.bars!.time[lane.at]! + lane.intervalMs !== time) continue;
        lane.take(rowOf(lane, lane.at));
        lane.at++;
      }
    }
  }

  /** Bars that close together are one instant. */
  function settleFlat(): void {
    const firsts = lanes.map(({ at }) => at);
    let instants = 0;
    for (let time = nextClose(); time < Infinity; time = nextClose()) {
      for (let index = 0; index < lanes.length; index++) {
        const lane = lanes[index]!;
        if (lane.at === lane.end || lane.bars!.time[lane.at]! + lane.intervalMs !== time) continue;
        lane.at++;
      }
      times[instants++] = time;
      if (instants === MOST_INSTANTS) instants = giveInstants(instants);
    }
    giveInstants(instants);
    for (const [index, lane] of lanes.entries()) {
      if (lane.end > firsts[index]!) lane.takeLast(rowOf(lane, lane.end - 1));
    }
  }

  /** Nearly all runs have one symbol. */
  function settleOnlyFlat(lane: DeferredLane): void {
    const { time: opens } = lane.bars!;
    const { intervalMs, end } = lane;
    for (let { at } = lane; at < end; at += MOST_INSTANTS) {
      const count = Math.min(end - at, MOST_INSTANTS);
      for (let index = 0; index < count; index++) times[index] = opens[at + index]! + intervalMs;
      giveInstants(count);
    }
    lane.at = end;
    lane.takeLast(rowOf(lane, end - 1));
  }

  function giveInstants(count: number): 0 {
    if (count > 0) onFlatInstants(times, count);
    return 0;
  }

  return {
    lane(valued) {
      const lane: DeferredLane = { ...valued, bars: null, at: 0, end: 0 };
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
        next: (_bars, _from, to) => to,
        take: (bars, at) => defer(bars, at, at + 1),
        pass: defer,
      };
    },
    settle,
  };
}
