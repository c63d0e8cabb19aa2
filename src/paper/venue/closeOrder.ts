import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import { isOpen, type Order } from './Order.ts';
import { publishOrder } from './publish.ts';
import { publishHeldAfter } from './publishHeldAfter.ts';

/** Removes an order from the market, with its watch and its timer. */
export function withdraw(engine: EngineState, order: Order): void {
  if (order.watch !== null) engine.market.unwatch(order.watch);
  order.watch = null;
  order.waiting?.();
  order.waiting = null;
}

/** Cancels the remainder of an open order; `reason` is set if the service did it. */
export function closeOrder(
  engine: EngineState,
  account: Account,
  order: Order,
  { reason }: { reason: string | null },
): void {
  if (!isOpen(order)) return;
  const close = (): void => endOrder(engine, account, order, reason);
  if (order.placing) close();
  else publishHeldAfter(engine, account, order, close);
}

function endOrder(
  engine: EngineState,
  account: Account,
  order: Order,
  reason: string | null,
): void {
  withdraw(engine, order);
  const { record } = order;
  record.status = 'cancelled';
  record.reject_reason = reason;
  record.updated_time = engine.market.now;
  account.openOrders.delete(record.order_id);
  engine.reactions.onOrderClosed(account, order);
  if (!order.placing) publishOrder(engine, account, order);
}
