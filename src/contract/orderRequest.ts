import { z } from 'zod';
import { entryPriceSpec, type EntryPriceSpec } from './entryPrice.ts';
import { clientId, positive, symbolName } from './identifiers.ts';
import { entryLeg, type EntryLeg } from './legs.ts';
import { addFault } from './validation.ts';
import { ORDER_TYPES, SIDES, TIMES_IN_FORCE, type Side } from './vocabulary.ts';

interface OrderCommon {
  symbol: string;
  side: Side;
  /** Base units. */
  size: number;
  take_profit?: EntryLeg;
  stop_loss?: EntryLeg;
  client_order_id?: string;
  reduce_only?: boolean;
}

/** A limit order at a price, or at an indicator's level: one of the two (ORD-1). */
export type LimitOrderRequest = OrderCommon & { order_type: 'limit'; slippage_bps?: never } & (
    | { price: number; price_from?: never; time_in_force?: 'gtc' | 'ioc' | 'post_only' }
    | { price_from: EntryPriceSpec; price?: never; time_in_force?: 'gtc' | 'post_only' }
  );

/** A market order; `slippage_bps` bounds its price, measured from the mark (default 50). */
export type MarketOrderRequest = OrderCommon & {
  order_type: 'market';
  slippage_bps?: number;
  price?: never;
  price_from?: never;
  time_in_force?: never;
};

/** `POST /v1/order` (ORD-1, spec §2.2). */
export type OrderRequest = LimitOrderRequest | MarketOrderRequest;

export const orderRequest = z
  .strictObject({
    symbol: symbolName,
    side: z.enum(SIDES),
    size: positive,
    order_type: z.enum(ORDER_TYPES),
    price: positive.optional(),
    price_from: entryPriceSpec.optional(),
    time_in_force: z.enum(TIMES_IN_FORCE).optional(),
    slippage_bps: z.number().min(0).max(10_000).optional(),
    take_profit: entryLeg.optional(),
    stop_loss: entryLeg.optional(),
    client_order_id: clientId.optional(),
    reduce_only: z.boolean().optional(),
  })
  .superRefine((order, ctx) => {
    if (order.order_type === 'market') {
      for (const field of ['price', 'price_from', 'time_in_force'] as const) {
        if (order[field] !== undefined) {
          addFault(ctx, [field], 'conflicting_field', `A market order takes no ${field}.`);
        }
      }
      return;
    }
    if (order.slippage_bps !== undefined) {
      addFault(ctx, ['slippage_bps'], 'conflicting_field', 'slippage_bps is for market orders.');
    }
    if (order.price === undefined && order.price_from === undefined) {
      addFault(ctx, ['price'], 'required', 'A limit order needs price or price_from.');
    }
    if (order.price !== undefined && order.price_from !== undefined) {
      addFault(ctx, ['price_from'], 'conflicting_field', 'Send price or price_from, not both.');
    }
    if (order.price_from !== undefined && order.time_in_force === 'ioc') {
      const message = 'An indicator-priced entry rests; ioc never does.';
      addFault(ctx, ['time_in_force'], 'conflicting_field', message);
    }
  }) as unknown as z.ZodType<OrderRequest>;

/** `PATCH /v1/orders/{id}`: at least one of the two (conventions §3). */
export type ModifyOrderRequest =
  { price: number; size?: number } | { price?: number; size: number };

export const modifyOrderRequest = z
  .strictObject({ price: positive.optional(), size: positive.optional() })
  .superRefine((change, ctx) => {
    if (change.price === undefined && change.size === undefined) {
      addFault(ctx, [], 'required', 'Send price, size or both.');
    }
  }) as unknown as z.ZodType<ModifyOrderRequest>;
