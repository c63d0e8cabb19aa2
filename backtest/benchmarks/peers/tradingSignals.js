import { SMA } from 'trading-signals';
import { createCrossBook } from './crossBook.js';

/** Streaming averages of trading-signals in a bare loop. @param {Float64Array} closes */
export default (closes) => () => {
  const fast = new SMA(10);
  const slow = new SMA(30);
  const book = createCrossBook();
  for (const close of closes) {
    const fastNow = fast.add(close);
    const slowNow = slow.add(close);
    if (slowNow !== null) book.follow(close, fastNow, slowNow);
  }
  return book.finish().crossings;
};
