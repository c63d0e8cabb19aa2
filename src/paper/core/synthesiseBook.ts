import {
  tickAt,
  toValidPrice,
  toValidSize,
  type InstrumentRecord,
  type OrderbookRecord,
} from '../../contract/index.ts';

/**
 * A book synthesised from the best bid and ask, because candle data has none. Levels are one tick apart
 * and grow with their distance from the best price. Fills follow the venue's rules (conventions §6), not
 * these sizes.
 *
 * @param typicalVolume volume of a bar, base units, to which the sizes are scaled
 */
export function synthesiseBook(options: {
  instrument: InstrumentRecord;
  touch: { bid: number; ask: number };
  typicalVolume: number;
  depth: number;
  time: number;
}): OrderbookRecord {
  const { instrument, touch, typicalVolume, depth, time } = options;
  const side = (start: number, step: -1 | 1): Array<[number, number]> => {
    const tick = tickAt(start, instrument);
    const mode = step === 1 ? 'up' : 'down';
    const prices = Array.from({ length: depth }, (_none, level) => start + step * level * tick);
    const levels = prices
      .filter((price) => price > 0)
      .map((price, level): [number, number] => [
        level === 0 ? start : toValidPrice(price, instrument, mode),
        sizeAt(level, typicalVolume, instrument),
      ]);
    return levels.filter(([price], index) => index === 0 || price !== levels[index - 1]![0]);
  };
  return { symbol: instrument.symbol, bids: side(touch.bid, -1), asks: side(touch.ask, 1), time };
}

/** A twentieth of a bar's volume at the best price, a little more at each level behind it. */
function sizeAt(level: number, typicalVolume: number, instrument: InstrumentRecord): number {
  const smallest = Number(`1e${-instrument.size_decimals}`);
  const wanted = (typicalVolume / 20) * (1 + level / 4);
  return Math.max(smallest, toValidSize(wanted, instrument));
}
