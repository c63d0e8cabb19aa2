import type { World } from '../engine/World.ts';
import type { Account } from './Account.ts';
import { floorSize } from './amounts.ts';
import { applyFill } from './applyFill.ts';
import { closeOrder, withdraw } from './closeOrder.ts';
import { isOpen, type Order } from './Order.ts';
import { fillable } from './takeLiquidity.ts';

/**
 * Puts a limit order on the book: it waits for the path to trade through its price. Where the mark
 * is beyond it already (inside the spread), the next millisecond of the path is the next trade.
 */
export function restOrder(world: World, order: Order): void {
  withdraw(world, order);
  const { market } = world;
  const { record } = order;
  order.watch = market.watch({
    symbol: record.symbol,
    price: record.price!,
    side: record.side === 'buy' ? 'below' : 'above',
    passed: !world.settings.touchFills,
    topic: 'order',
    wallet: order.wallet,
    id: record.order_id,
  });
  market.sleep(order.watch, market.now + 1);
}

/**
 * The path traded through a resting order: it fills at its own price, as far as its share of the
 * bar's volume goes; with the next bar the rest is back in its old place.
 */
export function fillResting(world: World, account: Account, order: Order): void {
  if (!isOpen(order)) return;
  const available = fillable(account, order);
  if (available <= 0) {
    closeOrder(world, account, order, { reason: 'nothing_to_reduce' });
    return;
  }
  const symbol = world.market.at(order.record.symbol);
  const { running, barIndex, nextOpenTime } = symbol.path;
  const left = running ? symbol.volumeLeft(barIndex, order.volumeShare ?? 1) : 0;
  const size = floorSize(Math.min(available, left), symbol.instrument.size_decimals);
  if (size < available) world.market.sleep(order.watch!, nextOpenTime + 1);
  if (size <= 0) return;
  symbol.useVolume(barIndex, size);
  applyFill(world, account, order, { price: order.record.price!, size, liquidity: 'maker' });
  if (isOpen(order) && fillable(account, order) <= 0) {
    closeOrder(world, account, order, { reason: 'nothing_to_reduce' });
  }
}
