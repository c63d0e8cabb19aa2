import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import { isOpen, type Order } from './Order.ts';
import { publishOrder } from './publish.ts';

/** Takes an order off the market: its watch and whatever it waits for. */
export function withdraw(engine: EngineState, order: Order): void {
  if (order.watch !== null) engine.market.unwatch(order.watch);
  order.watch = null;
  order.waiting?.();
  order.waiting = null;
}

/** Cancels what is left of an open order; `reason` is told where the service did it. */
export function closeOrder(
  engine: EngineState,
  account: Account,
  order: Order,
  { reason }: { reason: string | null },
): void {
  if (!isOpen(order)) return;
  withdraw(engine, order);
  const { record } = order;
  record.status = 'cancelled';
  record.reject_reason = reason;
  record.updated_time = engine.market.now;
  account.openOrders.delete(record.order_id);
  engine.reactions.onOrderClosed(account, order);
  if (!order.placing) publishOrder(engine, account, order);
}
