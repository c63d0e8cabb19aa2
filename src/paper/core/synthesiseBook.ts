import { toValidSize, type InstrumentRecord, type OrderbookRecord } from '../../contract/index.ts';
import { nextPrice } from './nextPrice.ts';

/**
 * A book synthesised from the best bid and ask, because candle data has none. Levels are the valid prices next to each
 * other, and grow with their distance from the best price. Fills follow the venue's rules (conventions §6), not these
 * sizes.
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
  const side = (start: number, direction: 1 | -1): Array<[number, number]> => {
    const levels: Array<[number, number]> = [];
    for (let price: number | null = start; price !== null && levels.length < depth;) {
      levels.push([price, sizeAt(levels.length, typicalVolume, instrument)]);
      price = nextPrice(price, instrument, direction);
    }
    return levels;
  };
  const { symbol } = instrument;
  return { symbol, bids: side(touch.bid, -1), asks: side(touch.ask, 1), time };
}

/** A twentieth of a bar's volume at the best price, a little more at each level behind it. */
function sizeAt(level: number, typicalVolume: number, instrument: InstrumentRecord): number {
  const smallest = Number(`1e${-instrument.size_decimals}`);
  const wanted = (typicalVolume / 20) * (1 + level / 4);
  return Math.max(smallest, toValidSize(wanted, instrument));
}
