import { modifyOrderRequest, type ModifyOrderRequest } from '../contract/orderRequest.ts';
import { callOn, orderTarget } from './callOn.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { effect } from './IntentEffect.ts';
import type { IntentRule } from './IntentRule.ts';
import type { OrderTarget } from './IntentTarget.ts';

/** Change an open order's price or size: `PATCH /v1/orders/{id}`; a tracked entry refuses (TRK-7). */
export interface ModifyOrderIntent extends IntentMeta {
  kind: 'modify_order';
  order: OrderTarget;
  change: ModifyOrderRequest;
}

/**
 * Changes price or size of an open order (ORD-4).
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => modifyOrder({ ref: 'entry' }, { price: 99 })),
 * );
 * ```
 */
export function modifyOrder(
  order: OrderTarget,
  change: ModifyOrderRequest,
  meta: IntentMeta = {},
): ModifyOrderIntent {
  return { kind: 'modify_order', order, change, ...meta };
}

export const modifyOrderRule: IntentRule<ModifyOrderIntent> = {
  fields: { order: orderTarget, change: modifyOrderRequest },
  // What a new price or size opens depends on the order.
  effect: () => effect({ isControl: true, opaque: true }),
  toCall: ({ order, change }, context) =>
    callOn('order', order, context, (id) => ({
      endpoint: 'orders.modify',
      pathParams: { id },
      body: change,
    })),
};
