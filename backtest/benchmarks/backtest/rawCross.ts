import type { Feed } from '../../../src/paper/index.ts';

/** Bars per call of the loop: V8 optimises a function that is called, not one endless loop. */
const CHUNK = 4_096;

interface Book {
  fast: number;
  slow: number;
  wasAbove: boolean;
  position: number;
  cash: number;
  fees: number;
  fills: number;
  peak: number;
  drawdown: number;
}

/** The floor: the same crossing over typed arrays, with fees and drawdown, and nothing else. */
export function rawCross({ close }: Feed, warmup: number): { fills: number; equity: number } {
  const book: Book = {
    fast: 0,
    slow: 0,
    wasAbove: false,
    position: 0,
    cash: 1e8,
    fees: 0,
    fills: 0,
    peak: 0,
    drawdown: 0,
  };
  for (let at = 0; at < 30; at++) book.slow += close[at]! / 30;
  for (let at = 20; at < 30; at++) book.fast += close[at]! / 10;
  book.wasAbove = book.fast > book.slow;
  for (let from = warmup; from < close.length; from += CHUNK) {
    runChunk(book, close, from, Math.min(from + CHUNK, close.length));
  }
  return { fills: book.fills, equity: book.cash + book.position * close[close.length - 1]! };
}

function runChunk(book: Book, close: Float64Array, from: number, until: number): void {
  let { fast, slow, wasAbove, position, cash, fees, fills, peak, drawdown } = book;
  for (let at = from; at < until; at++) {
    const price = close[at]!;
    fast += (price - close[at - 10]!) / 10;
    slow += (price - close[at - 30]!) / 30;
    const isAbove = fast > slow;
    if (isAbove !== wasAbove) {
      const target = isAbove ? 0.1 : -0.1;
      const size = target - position;
      const touch = price * (size > 0 ? 1.0001 : 0.9999);
      const fee = Math.abs(size) * touch * 0.00045;
      cash -= size * touch + fee;
      fees += fee;
      position = target;
      fills++;
    }
    wasAbove = isAbove;
    const equity = cash + position * price;
    if (equity > peak) peak = equity;
    if (peak - equity > drawdown) drawdown = peak - equity;
  }
  Object.assign(book, { fast, slow, wasAbove, position, cash, fees, fills, peak, drawdown });
}
