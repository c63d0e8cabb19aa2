import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import { closeOrder } from './closeOrder.ts';
import { reducible } from './fillable.ts';
import type { Order } from './Order.ts';

/**
 * A position was closed or reversed: what still waits to close it ends with it. At the next bar it could
 * close a position that was opened meanwhile, which it was never meant for (POS-2).
 *
 * @param closing the order that closed it, and ends by itself
 */
export function endExits(
  engine: EngineState,
  account: Account,
  symbol: string,
  closing: Order,
): void {
  for (const order of account.openOrders.values()) {
    if (!order.persistent || order === closing || order.record.symbol !== symbol) continue;
    if (reducible(account, order.record) > 0) continue;
    closeOrder(engine, account, order, { reason: 'nothing_to_reduce' });
  }
}
