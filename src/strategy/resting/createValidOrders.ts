import { isWithin } from '../../contract/bounds.ts';
import { withCode } from '../../contract/index.ts';
import { floorSize } from '../../contract/sizes.ts';
import type { RestingOrder } from './RestingOrder.ts';
import type { RestingContext, WantedOrder } from './Slot.ts';

export interface ValidOrdersOptions {
  ctx: Pick<RestingContext, 'instrument' | 'log'>;
  symbol: string;
  /** Of the set, for the log. */
  name: string;
}

/** Names may be prices: the oldest of them is logged again before they are without number. */
const MOST_REPORTED = 1_000;

/** Orders as the venue takes them: rounded to its grid; undefined if nothing of one can rest. */
export function createValidOrders({ ctx, symbol, name }: ValidOrdersOptions) {
  /** Slots whose order can't rest, and for which that has been logged. */
  const reported = new Set<string>();

  /** Logged, since the author would look for the cause of a missing order elsewhere. */
  function reportOnce({ slot, side, price, size }: RestingOrder, least: number): void {
    if (reported.has(slot)) return;
    reported.add(slot);
    if (reported.size > MOST_REPORTED) reported.delete(reported.values().next().value!);
    const what = `${name}: ${side} ${size} ${symbol} at ${price} in ${slot} is not placed`;
    ctx.log.warn(`${what}: an order is worth ${least} at least, at a price above 0`);
  }

  return (order: WantedOrder): WantedOrder | undefined => {
    const instrument = ctx.instrument(symbol);
    requireNumber(order, 'size');
    requireNumber(order, 'price');
    // A bound may leave nothing of the order.
    if (order.size <= 0) return undefined;
    const price = instrument.roundPrice(order.price, order.side === 'buy' ? 'down' : 'up');
    const size = floorSize(order.size, instrument.size_decimals);
    const least = instrument.min_order_value;
    if (price > 0 && isWithin(least, size * price)) return { ...order, price, size };
    // What fills and changes of size leave over is too small now and then, and nobody can do anything about it.
    const { asked = order.size } = order;
    const worth = floorSize(asked, instrument.size_decimals) * price;
    if (price <= 0 || !isWithin(least, worth)) reportOnce(order, least);
    return undefined;
  };
}

/** @throws RangeError, which ends the strategy: an order of NaN would silently be dropped */
function requireNumber(order: RestingOrder, field: 'price' | 'size'): void {
  if (Number.isFinite(order[field])) return;
  throw withCode(
    'TRIMTAB_INDICATOR_PARAMETER',
    new RangeError(`slot ${order.slot}: its ${field} is ${order[field]}; it must be a number.`),
  );
}
