import type { World } from '../engine/World.ts';
import type { Account } from './Account.ts';
import { isOpen, type Order } from './Order.ts';
import { publishOrder } from './publish.ts';

/** Takes an order off the market: its watch and whatever it waits for. */
export function withdraw(world: World, order: Order): void {
  if (order.watch !== null) world.market.unwatch(order.watch);
  order.watch = null;
  order.waiting?.();
  order.waiting = null;
}

/** Cancels what is left of an open order; `reason` is told where the service did it. */
export function closeOrder(
  world: World,
  account: Account,
  order: Order,
  { reason }: { reason: string | null },
): void {
  if (!isOpen(order)) return;
  withdraw(world, order);
  const { record } = order;
  record.status = 'cancelled';
  record.reject_reason = reason;
  record.updated_time = world.market.now;
  account.openOrders.delete(record.order_id);
  world.reactions.onOrderClosed(account, order);
  if (!order.placing) publishOrder(world, account, order);
}
