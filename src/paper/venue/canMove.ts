import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import { fundsForChange } from './fundsForChange.ts';
import { remainingOf, type Order } from './Order.ts';

/** Whether the wallet has the funds for what is left of an order at another price, as a change by hand needs them. */
export function canMove(
  engine: EngineState,
  account: Account,
  order: Order,
  price: number,
): boolean {
  const { price: before, reduce_only: reduceOnly } = order.record;
  if (reduceOnly || price <= (before ?? 0)) return true;
  return fundsForChange(engine, account, order, { remaining: remainingOf(order), price }).fits;
}
