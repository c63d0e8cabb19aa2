import type { Side } from '../../contract/index.ts';
import type { World } from '../engine/World.ts';
import type { BookCursor } from '../market/BookCursor.ts';
import type { Account } from './Account.ts';
import { floorSize } from './amounts.ts';
import { applyFill, signOf } from './applyFill.ts';
import { fillable, shareOf, type Shortfall } from './fillable.ts';
import { isOpen, type Order } from './Order.ts';

/**
 * Takes the recorded book level by level, a fill each at the level's own price, inside the order's
 * bound. What stands there is what there is; a share of the volume does not bind. Only an order that
 * may take any volume (complete-at-market, liquidation) goes past the last level, at that level's
 * price and the usual impact.
 */
export function walkBook(
  world: World,
  account: Account,
  order: Order,
  book: BookCursor,
): Shortfall {
  const { side } = order.record;
  let last: number | undefined;
  for (const { price, size } of book.offers(side)) {
    if (!isOpen(order) || fillable(account, order) <= 0) return 'nothing_to_reduce';
    if (isBeyond(price, side, order.bound)) return 'price_bound';
    last = price;
    const taken = fillAt(world, account, order, { price, size });
    if (taken > 0) book.take(side, price, taken);
  }
  if (!isOpen(order) || fillable(account, order) <= 0) return 'nothing_to_reduce';
  if (order.volumeShare !== null) return 'volume';
  return goPast(world, account, order, last);
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

function goPast(world: World, account: Account, order: Order, last: number | undefined): Shortfall {
  const { symbol, side } = order.record;
  const market = world.market.at(symbol);
  const { bid, ask } = market.touch();
  const size = fillable(account, order);
  const share = shareOf(size, market.path.closedVolume);
  const impact = (world.settings.impactBps / 10_000) * share;
  const price = (last ?? (side === 'buy' ? ask : bid)) * (1 + signOf(side) * impact);
  if (isBeyond(price, side, order.bound)) return 'price_bound';
  fillAt(world, account, order, { price, size });
  return 'nothing_to_reduce';
}

function fillAt(
  world: World,
  account: Account,
  order: Order,
  offer: { price: number; size: number },
): number {
  const { size_decimals: decimals } = world.market.instrument(order.record.symbol)!;
  const size = floorSize(Math.min(fillable(account, order), offer.size), decimals);
  if (size > 0) applyFill(world, account, order, { price: offer.price, size, liquidity: 'taker' });
  return size;
}
