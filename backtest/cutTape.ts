import { countUntil } from '../src/env/index.ts';
import type { BookTape, Tape, TradeTape } from '../src/paper/index.ts';

/**
 * A recording up to an instant, inclusive: the remainder shows the market as it was then. Its coverage is
 * not changed, because the remaining bars are covered as before.
 */
export function cutTape({ trades, book, ...span }: Tape, until: number): Tape {
  return {
    ...span,
    trades: trades === null ? null : cutTrades(trades, until),
    book: book === null ? null : cutBook(book, until),
  };
}

function cutTrades({ time, price, size }: TradeTape, until: number): TradeTape {
  const count = countUntil(time, until);
  return {
    time: time.subarray(0, count),
    price: price.subarray(0, count),
    size: size.subarray(0, count),
  };
}

function cutBook(book: BookTape, until: number): BookTape {
  const count = countUntil(book.time, until);
  const time = book.time.subarray(0, count);
  if (book.kind === 'rows') {
    return { ...book, time, cells: book.cells.subarray(0, count * book.depth * 4) };
  }
  const { first, updateId, isBid, price, size } = book;
  const changes = first[count] ?? price.length;
  return {
    kind: 'changes',
    time,
    first: first.subarray(0, count),
    updateId: updateId.subarray(0, count),
    isBid: isBid.subarray(0, changes),
    price: price.subarray(0, changes),
    size: size.subarray(0, changes),
  };
}
