import { SMA } from 'technicalindicators';
import { createCrossBook } from './crossBook.js';

/** Streaming averages of technicalindicators in a bare loop. @param {Float64Array} closes */
export default (closes) => () => {
  const fast = new SMA({ period: 10, values: [] });
  const slow = new SMA({ period: 30, values: [] });
  const book = createCrossBook();
  for (const close of closes) {
    const fastNow = fast.nextValue(close);
    const slowNow = slow.nextValue(close);
    if (slowNow !== undefined) book.follow(close, fastNow, slowNow);
  }
  return book.finish().crossings;
};
