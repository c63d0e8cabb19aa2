import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import { remainingOf, type Order } from './Order.ts';
import { fundsFor } from './placeOrder.ts';

/**
 * Whether the wallet has the funds for what is left of an order at another price, as a change by hand needs them. What needs
 * no more than it has is always possible, however little there is.
 */
export function canMove(
  engine: EngineState,
  account: Account,
  order: Order,
  price: number,
): boolean {
  const { order_id: id, symbol, side, price: before, reduce_only: reduceOnly } = order.record;
  if (reduceOnly || price <= (before ?? 0)) return true;
  const moved = { symbol, side, size: remainingOf(order), price };
  return account.openOrders.without(id, () => fundsFor(engine, account, moved).fits);
}
