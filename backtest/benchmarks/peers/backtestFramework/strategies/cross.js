import { SMA } from 'technicalindicators';

/** The README's example of two averages, on both sides. */
export async function runStrategy(bth) {
  const fast = averageOf(await bth.getCandles('close', 10, 0));
  const slow = averageOf(await bth.getCandles('close', 30, 0));
  const position = fast > slow ? 'long' : 'short';
  const { boughtLong, boughtShort } = bth.orderBook;
  if (position === 'long' ? boughtLong : boughtShort) return;
  await bth.sell();
  await bth.buy({ position, baseAmount: 0.1 });
}

const averageOf = (values) => SMA.calculate({ values, period: values.length }).at(-1);
