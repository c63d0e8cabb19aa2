/** A trade below its price fills a buy, one above it a sell. */
export type TradedSide = 'below' | 'above';

/** Sizes by price. */
type Sizes = Map<number, number>;

/** What is used of the trades of one millisecond, by side and price, as plain data. */
export type SavedTick = { time: number } & Record<
  TradedSide,
  ReadonlyArray<readonly [price: number, size: number]>
>;

/**
 * The trades of one millisecond, less what resting orders used of them. A trade fills one order of each side: a trade
 * is one of the tape's own, of which either side may have been ours. On a side, an order uses first what the fewest
 * others reach, so that no order goes without because another one took what it alone could have had.
 */
export class TradedTick {
  #time = -1;
  #used: Record<TradedSide, Sizes> = { below: new Map(), above: new Map() };

  /** Size at or beyond a level that is left at a time; trades are those of that time. */
  left(time: number, trades: ReadonlyMap<number, number>, level: number, side: TradedSide): number {
    let sum = 0;
    for (const [, size] of this.#reached(time, trades, level, side)) sum += size;
    return sum;
  }

  use(
    time: number,
    trades: ReadonlyMap<number, number>,
    { level, side, size }: { level: number; side: TradedSide; size: number },
  ): void {
    const nearest = side === 'below' ? 1 : -1;
    const reached = this.#reached(time, trades, level, side);
    reached.sort(([a], [b]) => nearest * (b - a));
    const used = this.#used[side];
    let missing = size;
    for (const [price, left] of reached) {
      const taken = Math.min(missing, left);
      used.set(price, (used.get(price) ?? 0) + taken);
      missing -= taken;
      if (missing <= 0) return;
    }
  }

  /** What is left at each price that reaches a level. */
  #reached(
    time: number,
    trades: ReadonlyMap<number, number>,
    level: number,
    side: TradedSide,
  ): Array<[price: number, left: number]> {
    if (time !== this.#time) this.restore({ time, below: [], above: [] });
    const reached: Array<[price: number, left: number]> = [];
    for (const [price, size] of trades) {
      if (side === 'below' ? price > level : price < level) continue;
      const left = size - (this.#used[side].get(price) ?? 0);
      if (left > 0) reached.push([price, left]);
    }
    return reached;
  }

  save(): SavedTick {
    const { below, above } = this.#used;
    return { time: this.#time, below: [...below], above: [...above] };
  }

  restore({ time, below, above }: SavedTick): void {
    this.#time = time;
    this.#used = { below: new Map(below), above: new Map(above) };
  }
}
