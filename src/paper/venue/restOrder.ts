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
  const { record } = order;
  const mark = world.market.mark(record.symbol);
  const price = record.price!;
  const isBeyond = record.side === 'buy' ? mark < price : mark > price;
  if (isBeyond) waitUntil(world, order, world.market.now + 1);
  else watchPrice(world, order);
}

function watchPrice(world: World, order: Order): void {
  const { record } = order;
  order.watch = world.market.watch({
    symbol: record.symbol,
    price: record.price!,
    side: record.side === 'buy' ? 'below' : 'above',
    passed: true,
    topic: 'order',
    wallet: order.wallet,
    id: record.order_id,
  });
}

/** Back on the book at that time; at the end of the feed there is none. */
function waitUntil(world: World, order: Order, time: number): void {
  if (!Number.isFinite(time)) return;
  order.waiting = world.at(time, 'order', order.wallet, order.record.order_id);
}

/** The timer of {@link restOrder}: the order can trade again. */
export function resumeResting(world: World, order: Order): void {
  order.waiting = null;
  if (isOpen(order) && order.record.price !== null) watchPrice(world, order);
}

/**
 * The path traded through a resting order: it fills at its own price, as far as its share of the
 * bar's volume goes; the rest is back with the next bar.
 */
export function fillResting(world: World, account: Account, order: Order): void {
  order.watch = null;
  if (!isOpen(order)) return;
  const available = fillable(account, order);
  if (available <= 0) {
    closeOrder(world, account, order, { reason: 'nothing_to_reduce' });
    return;
  }
  const symbol = world.market.at(order.record.symbol);
  const share = order.volumeShare ?? 1;
  const left = Math.max(0, share * symbol.path.runningVolume - symbol.usedVolume);
  const size = floorSize(Math.min(available, left), symbol.instrument.size_decimals);
  if (size < available) waitUntil(world, order, symbol.path.nextOpenTime + 1);
  if (size <= 0) return;
  symbol.useVolume(size);
  applyFill(world, account, order, { price: order.record.price!, size, liquidity: 'maker' });
  if (!isOpen(order)) withdraw(world, order);
}
