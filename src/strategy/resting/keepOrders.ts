import type { OperatorFunction } from 'rxjs';
import type { Intent } from '../../intents/index.ts';
import type { RestingContext } from './Slot.ts';
import { restingOperator } from './restingOperator.ts';
import { restingSettings } from './restingSettings.ts';
import type { RestingOptions, RestingOrder } from './RestingOrder.ts';

/**
 * Keeps a set of resting limit orders in step with a stream of such sets: places, modifies and cancels, with the
 * fewest requests. An order that was filled is placed again as long as it is wanted; one whose answer is missing
 * counts as resting. After a restart it finds its orders by their refs.
 *
 * ```ts
 * ctx.price(ctx.symbol).pipe(
 *   map(({ bid }) => [{ slot: 'low', side: 'buy' as const, price: bid * 0.99, size: 0.01 }]),
 *   keepOrders(ctx, ctx.symbol),
 * );
 * ```
 *
 * It does not bound what is held: an order that fills is replaced. Use `quote` or `grid` for that.
 *
 * @throws RangeError for an option out of its range
 */
export function keepOrders(
  ctx: RestingContext,
  symbol: string,
  options: RestingOptions = {},
): OperatorFunction<readonly RestingOrder[], Intent> {
  const wanted = (orders: readonly RestingOrder[]): readonly RestingOrder[] => orders;
  const settings = restingSettings('keepOrders', options, 'resting');
  return restingOperator(ctx, symbol, settings, () => ({ wanted }));
}
