import { isWithin } from '../../contract/bounds.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import { remainingOf, type Order } from './Order.ts';
import { fundsFor, type Funds } from './placeOrder.ts';

/**
 * What an open order needs after a change of its price or size, and whether that is there. A change that needs no more
 * than the order did always fits, however little there is.
 *
 * @param changed base units that are then still to be filled, and their price
 */
export function fundsForChange(
  engine: EngineState,
  account: Account,
  order: Order,
  changed: { remaining: number; price: number },
): Funds {
  const { order_id: id, symbol, side, price } = order.record;
  const needs = (size: number, at: number): Funds =>
    fundsFor(engine, account, { symbol, side, size, price: at });
  const [now, before] = account.openOrders.without(id, () => [
    needs(changed.remaining, changed.price),
    needs(remainingOf(order), price!),
  ]);
  return { ...now, fits: now.fits || isWithin(now.required, before.required) };
}
