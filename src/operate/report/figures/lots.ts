import { addSize, type SizeSum } from '../../../contract/sizes.ts';
import type { ReportFill } from '../ReportData.ts';
import { entryTagOf, exitReasonOf, type RoundTrip } from '../roundTrips.ts';

/** What remains of a fill that opened a position. */
interface OpenLot {
  fill: ReportFill;
  left: SizeSum;
}

/**
 * Trades by lot: each part of a fill that closes is one, with the oldest part that is open (first in, first out), by
 * strategy and symbol. What stays open is a trade without an exit. Lean calls it `FillGroupingMethod.FillToFill` with
 * `FillMatchingMethod.FIFO`.
 *
 * @param fills ascending in time
 */
export function lots(fills: readonly ReportFill[]): RoundTrip[] {
  const books = new Map<string, OpenLot[]>();
  const done: RoundTrip[] = [];
  for (const fill of fills) {
    const key = JSON.stringify([fill.strategy, fill.symbol]);
    const book = books.get(key) ?? [];
    books.set(key, book);
    const left = { size: fill.size, dust: 0 };
    while (left.size > 0 && book[0] !== undefined && book[0].fill.side !== fill.side) {
      const [lot] = book;
      const size = Math.min(left.size, lot.left.size);
      done.push(tradeOf(lot.fill, size, fill));
      // What one of them is off by, the rest of the other is.
      left.dust = lot.left.dust += left.dust;
      addSize(left, -size);
      addSize(lot.left, -size);
      if (lot.left.size === 0) book.shift();
    }
    if (left.size > 0) book.push({ fill, left });
  }
  const open = [...books.values()].flat().map(({ fill, left }) => tradeOf(fill, left.size));
  return [...done, ...open].toSorted((a, b) => a.entry_time - b.entry_time);
}

function tradeOf(entry: ReportFill, size: number, exit?: ReportFill): RoundTrip {
  const fees = feeOf(entry, size) + (exit === undefined ? 0 : feeOf(exit, size));
  const direction = entry.side === 'buy' ? 1 : -1;
  const gross = exit === undefined ? 0 : direction * (exit.price - entry.price) * size;
  return {
    strategy: entry.strategy,
    symbol: entry.symbol,
    side: entry.side === 'buy' ? 'long' : 'short',
    entry_time: entry.time,
    exit_time: exit?.time ?? null,
    size,
    entry_price: entry.price,
    exit_price: exit?.price ?? null,
    fees,
    pnl: gross - fees,
    fills: exit === undefined ? 1 : 2,
    entry_tag: entryTagOf(entry),
    exit_reason: exit === undefined ? null : exitReasonOf(exit),
  };
}

const feeOf = ({ fee, size }: ReportFill, part: number): number => fee * (part / size);
