import { orderRequest, type OrderRequest } from '../contract/orderRequest.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { requestEffect } from './IntentEffect.ts';
import { made, type IntentRule } from './IntentRule.ts';

/** Place an order (ORD-1): `POST /v1/order`. */
export interface PlaceOrderIntent extends IntentMeta {
  kind: 'place_order';
  request: OrderRequest;
}

type WithoutType<R> = R extends unknown ? Omit<R, 'order_type'> : never;
type OfType<T extends OrderRequest['order_type']> = WithoutType<
  Extract<OrderRequest, { order_type: T }>
>;
/** A limit order at a fixed price. */
export type LimitInput = Extract<OfType<'limit'>, { price: number }>;
/** A limit order priced by an indicator's level (TRK-1). */
export type LevelInput = Exclude<OfType<'limit'>, { price: number }>;
export type MarketInput = OfType<'market'>;

function placing(
  order_type: OrderRequest['order_type'],
  request: LimitInput | LevelInput | MarketInput,
  meta: IntentMeta,
): PlaceOrderIntent {
  return { kind: 'place_order', request: { order_type, ...request } as OrderRequest, ...meta };
}

/**
 * Places an order (ORD-1).
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(({ close }) => placeOrder.limit({ symbol: ctx.symbol, side: 'buy', size: 0.5, price: ctx.instrument(ctx.symbol).roundPrice(close * 0.99) })),
 * );
 * ```
 */
export const placeOrder = {
  /** At `price`. */
  limit: (request: LimitInput, meta: IntentMeta = {}) => placing('limit', request, meta),
  /** At the level that `price_from` reads; with `track: true` it follows the level (TRK-2). */
  atLevel: (request: LevelInput, meta: IntentMeta = {}) => placing('limit', request, meta),
  /**
   * At once; `slippage_bps` bounds the price, measured from the mark (default 50). What the market does not offer inside
   * it is cancelled.
   */
  market: (request: MarketInput, meta: IntentMeta = {}) => placing('market', request, meta),
} as const;

export const placeOrderRule: IntentRule<PlaceOrderIntent> = {
  fields: { request: orderRequest },
  effect: (intent) => requestEffect(intent.request),
  toCall: ({ request }, { idempotencyKey }) =>
    made({
      endpoint: 'orders.place',
      body: { ...request, client_order_id: request.client_order_id ?? idempotencyKey },
      isFresh: true,
      isRequest: true,
    }),
};
