import type { BookSource } from './BookSource.ts';
import { CsvRows } from './CsvRows.ts';
import type { FeedResult } from './FeedProblem.ts';
import { refuseInverse } from './inverseContract.ts';
import { parseDepth } from './parseDepth.ts';
import { parseLevels } from './parseLevels.ts';
import { hasBothSides, parseTops } from './parseTops.ts';
import type { BookTape } from './Tape.ts';

const REMEDY =
  'A book file is a depth stream (U, u, side, price, qty; with a snapshot), best prices (bid, bid_qty, ask, ask_qty, or those of Binance’s bookTicker), one row a side (price, size, side), or whole levels (bid_price_0, … or bp0, …).';

/** Reads a recorded book; its columns identify the kind. */
export function parseBook(source: BookSource): FeedResult<BookTape> {
  const inverse = refuseInverse(source.file, marketOf(source));
  if (inverse !== null) return inverse;
  const rows = new CsvRows(source.bytes, source.file);
  const has = (...names: string[]): boolean => names.every((name) => rows.header.includes(name));
  if (has('u', 'side', 'price', 'qty')) return parseDepth(rows, source);
  if (hasBothSides(rows.header) || has('price', 'size', 'side')) {
    return parseTops(rows, source.clockOffsetMs);
  }
  if (has('bid_price_0') || has('bp0')) return parseLevels(rows);
  return rows.fault(null, 'is not the header of a book file.', REMEDY);
}

/** The market that a column of a recorder's first row gives. */
function marketOf({ bytes, file }: BookSource): string | null {
  const rows = new CsvRows(bytes, file);
  const column = rows.column('symbol', 'instrument_name');
  return column >= 0 && rows.next() && rows.fields > column ? rows.text(column) : null;
}
