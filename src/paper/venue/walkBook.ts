import type { Side } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { BookCursor } from '../market/BookCursor.ts';
import type { Account } from './Account.ts';
import { floorSize } from '../../contract/sizes.ts';
import { applyFill, signOf } from './applyFill.ts';
import { fillable, exhaustedReason, type Shortfall } from './fillable.ts';
import { impactOf } from './impactOf.ts';
import { isOpen, remainingOf, type Order } from './Order.ts';

/**
 * Takes the recorded book level by level, one fill each at the level's price, inside the order's bound.
 * The book's sizes are the limit; the share of the volume does not apply. Only an order that may take any
 * volume (complete-at-market, liquidation) goes past the last level, at that level's price and the usual
 * impact.
 */
export function walkBook(
  engine: EngineState,
  account: Account,
  order: Order,
  book: BookCursor,
): Shortfall {
  const { side, symbol } = order.record;
  const { bid, ask } = engine.market.at(symbol).touch();
  const wantedAt = (price: number): number =>
    isOpen(order) ? fillable(engine, account, order, price) : 0;
  let last = side === 'buy' ? ask : bid;
  for (const { price, size } of book.offers(side)) {
    const wanted = wantedAt(price);
    if (wanted <= 0) return exhaustedReason(order);
    if (isBeyond(price, side, order.bound)) return 'price_bound';
    last = price;
    const taken = fillAt(engine, account, order, { price, size: Math.min(wanted, size) });
    if (taken > 0) book.take(side, price, taken);
    // The remaining cash is then a remnant of the fee reserve.
    if (wanted <= size) return exhaustedReason(order);
  }
  if (wantedAt(last) <= 0) return exhaustedReason(order);
  if (order.volumeShare !== null) return 'volume';
  return goPast(engine, account, order, last);
}

/** Size that the book offers a taker at once, inside a bound. */
export function sizeInBook(
  book: BookCursor,
  taker: { side: Side; bound: number | null; volumeShare: number | null },
): number {
  let sum = 0;
  for (const { price, size } of book.offers(taker.side)) {
    if (isBeyond(price, taker.side, taker.bound)) return sum;
    sum += size;
  }
  return taker.volumeShare === null ? Infinity : sum;
}

const isBeyond = (price: number, side: Side, bound: number | null): boolean =>
  bound !== null && signOf(side) * (price - bound) > 0;

function goPast(engine: EngineState, account: Account, order: Order, last: number): Shortfall {
  const { symbol, side } = order.record;
  const { closedVolume } = engine.market.at(symbol).path;
  const priceOf = (size: number): number =>
    last * (1 + signOf(side) * impactOf(engine, size, closedVolume));
  const size = fillable(engine, account, order, priceOf(remainingOf(order)));
  const price = priceOf(size);
  if (isBeyond(price, side, order.bound)) return 'price_bound';
  fillAt(engine, account, order, { price, size });
  return exhaustedReason(order);
}

function fillAt(
  engine: EngineState,
  account: Account,
  order: Order,
  offer: { price: number; size: number },
): number {
  const { size_decimals: decimals } = engine.market.instrument(order.record.symbol)!;
  const size = floorSize(offer.size, decimals);
  if (size > 0) applyFill(engine, account, order, { price: offer.price, size, liquidity: 'taker' });
  return size;
}
