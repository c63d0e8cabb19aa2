import { callOn, orderTarget } from './callOn.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { effect } from './IntentEffect.ts';
import type { IntentRule } from './IntentRule.ts';
import type { OrderTarget } from './IntentTarget.ts';

/** Cancel one order: `DELETE /v1/orders/{id}`; the watch of a tracked entry retires (TRK-7). */
export interface CancelOrderIntent extends IntentMeta {
  kind: 'cancel_order';
  order: OrderTarget;
}

/**
 * Cancels an order (ORD-4), by the `ref` of its intent or by its id.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => cancelOrder({ ref: 'entry' })),
 * );
 * ```
 */
export function cancelOrder(order: OrderTarget, meta: IntentMeta = {}): CancelOrderIntent {
  return { kind: 'cancel_order', order, ...meta };
}

export const cancelOrderRule: IntentRule<CancelOrderIntent> = {
  fields: { order: orderTarget },
  effect: () => effect({ isExit: true, isControl: true }),
  toCall: ({ order }, context) =>
    callOn('order', order, context, (id) => ({ endpoint: 'orders.cancel', pathParams: { id } })),
};
