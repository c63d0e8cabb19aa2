import type { BarColumns, TakeBar } from '../../env/index.ts';

/** What a symbol's bars change in the books of a bot. */
export interface ValuedBars {
  intervalMs: number;
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
  lane(valued: ValuedBars): TakeBar;
  /** Makes up for all bars so far, in their order. */
  settle(): void;
}

export interface DeferredBarsOptions {
  /** Nothing is held whose worth a price could change. */
  isFlat(): boolean;
  /** Instants at which bars closed, ascending, and nothing was worth more or less at one than at another. */
  onFlatInstants(times: Float64Array, count: number): void;
}

/** They are settled at the latest when there are so many. */
const MOST_DEFERRED = 8_192;

interface DeferredLane extends ValuedBars {
  bars: BarColumns | null;
  /** The next row to settle. */
  at: number;
}

export function createDeferredBars({ isFlat, onFlatInstants }: DeferredBarsOptions): DeferredBars {
  const lanes: DeferredLane[] = [];
  /** Whose bar came: the rows of a lane follow each other. */
  const order = new Uint16Array(MOST_DEFERRED);
  let count = 0;
  let isSettling = false;
  const times = new Float64Array(MOST_DEFERRED);
  const row: BarRow = { time: 0, close: 0 };

  function settle(): void {
    // What takes a bar reads other books, which are made up for one after another.
    if (count === 0 || isSettling) return;
    isSettling = true;
    if (isFlat()) settleFlat();
    else settleEach();
    for (let index = 0; index < lanes.length; index++) lanes[index]!.bars = null;
    count = 0;
    isSettling = false;
  }

  const rowOf = ({ bars, at }: DeferredLane): BarRow => {
    row.time = bars!.time[at]!;
    row.close = bars!.close[at]!;
    return row;
  };

  function settleEach(): void {
    for (let index = 0; index < count; index++) {
      const lane = lanes[order[index]!]!;
      lane.take(rowOf(lane));
      lane.at++;
    }
  }

  function settleFlat(): void {
    let instants = 0;
    let last = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < count; index++) {
      const lane = lanes[order[index]!]!;
      const time = lane.bars!.time[lane.at++]! + lane.intervalMs;
      // Bars that close together are one instant.
      if (time > last) times[instants++] = last = time;
    }
    onFlatInstants(times, instants);
    for (let index = 0; index < lanes.length; index++) {
      const lane = lanes[index]!;
      if (lane.bars === null) continue;
      lane.at--;
      lane.takeLast(rowOf(lane));
    }
  }

  return {
    lane(valued) {
      const lane: DeferredLane = { ...valued, bars: null, at: 0 };
      const place = lanes.push(lane) - 1;
      return (bars, at) => {
        if (count === MOST_DEFERRED || (lane.bars !== null && lane.bars !== bars)) settle();
        if (lane.bars === null) {
          lane.bars = bars;
          lane.at = at;
        }
        order[count++] = place;
      };
    },
    settle,
  };
}
