import type { PriceRecord } from '../contract/index.ts';
import { testRefusal } from './testRefusal.ts';

const BASIS_POINT = 1e-4;

/**
 * A price record of what a test writes; bid and ask are a basis point from a mark that is alone.
 *
 * @throws for a price that is not above 0, and for a bid above the ask
 */
export function toPrice(
  symbol: string,
  price: number | Partial<PriceRecord>,
  known: { last: number | undefined; time: number },
): PriceRecord {
  const given = typeof price === 'number' ? { mark: price } : price;
  const { bid, ask } = given;
  const mid = bid !== undefined && ask !== undefined ? (bid + ask) / 2 : undefined;
  const mark = given.mark ?? given.last ?? mid ?? known.last ?? Number.NaN;
  const near = { bid: mark * (1 - BASIS_POINT), ask: mark * (1 + BASIS_POINT), last: mark };
  const record: PriceRecord = { symbol, mark, ...near, time: known.time, ...given };
  for (const name of ['mark', 'bid', 'ask', 'last'] as const) {
    if (Number.isFinite(record[name]) && record[name] > 0) continue;
    throw testRefusal(`price of ${symbol}: ${name} ${record[name]}.`, 'Write a number above 0.');
  }
  if (record.bid > record.ask) {
    const what = `price of ${symbol}: bid ${record.bid} is above ask ${record.ask}.`;
    throw testRefusal(what, 'Write both, the ask at the bid or above.');
  }
  return record;
}
