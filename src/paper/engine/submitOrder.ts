import type { OrderRequest } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { checkSentLegs } from '../legs/checkSentLegs.ts';
import { countTrails, createLegs, resolveLegs, type ResolvedLegs } from '../legs/lifecycle.ts';
import { checkRows } from '../legs/maintainedRows.ts';
import { resolveEntry, trackEntry } from '../tracking/trackEntry.ts';
import type { Account } from '../venue/Account.ts';
import { checkPrice, checkSize } from '../venue/checkGrid.ts';
import type { Order, PriceFromResolution } from '../venue/Order.ts';
import {
  checkOrder,
  createOrder,
  crosses,
  enterOrder,
  entryPrice,
  type OrderSpec,
} from '../venue/placeOrder.ts';
import type { EngineState } from './EngineState.ts';

/**
 * `POST /v1/order`: grid, identity, price, legs, live checks, then the order (ORD-1, ORD-2). A refusal
 * has no effect. Monitors and webhooks place their orders here too.
 */
export function submitOrder(
  engine: EngineState,
  account: Account,
  { request, idempotencyKey }: { request: OrderRequest; idempotencyKey: string | null },
): Order {
  checkShape(engine, account, request);
  const priceFrom = resolvePrice(engine, request);
  const spec = toSpec(account, request, { idempotencyKey, priceFrom });
  checkOrder(engine, account, spec);
  const legs = resolveOrderLegs(engine, request, spec);
  const tracked = request.price_from?.track === true ? 1 : 0;
  checkRows(account, countTrails(request) + tracked);
  return enterOrder(engine, account, createOrder(engine, account, spec), (order) =>
    join(engine, account, order, { request, legs }),
  );
}

function checkShape(engine: EngineState, account: Account, request: OrderRequest): void {
  const { instrument } = engine.market.at(request.symbol);
  checkSize('size', request.size, instrument);
  if (request.price !== undefined) checkPrice('price', request.price, instrument);
  checkSentLegs(request, instrument);
  const id = request.client_order_id;
  if (id !== undefined && account.clientOrderIds.has(id)) {
    throw new ServiceError('duplicate_client_order_id', { details: { client_order_id: id } });
  }
}

/** A tracked entry must be able to rest; one that would cross now is refused (conventions §3). */
function resolvePrice(engine: EngineState, request: OrderRequest): PriceFromResolution | null {
  const { price_from: from, symbol, side } = request;
  if (from === undefined) return null;
  const resolution = resolveEntry(engine, symbol, from, 'price_from');
  if (from.track === true && crosses(engine, symbol, side, resolution.price)) {
    throw new ServiceError('would_cross', { details: { price: resolution.price } });
  }
  return resolution;
}

/** The anchor of an order's legs is the price at which it enters; a fill at another one anchors them again. */
function resolveOrderLegs(
  engine: EngineState,
  request: OrderRequest,
  spec: OrderSpec,
): ResolvedLegs {
  const { symbol, side } = request;
  const anchorPrice = entryPrice(engine, spec);
  const positionSide = side === 'buy' ? 'long' : 'short';
  return resolveLegs(engine, { symbol, positionSide, anchor: 'entry', anchorPrice }, request);
}

function join(
  engine: EngineState,
  account: Account,
  order: Order,
  { request, legs }: { request: OrderRequest; legs: ResolvedLegs },
): void {
  const { symbol, side, price_from: spec } = request;
  const { order_id: orderId, price } = order.record;
  const positionSide = side === 'buy' ? 'long' : 'short';
  const owner = { symbol, positionSide, orderId, executionId: null } as const;
  order.legIds = createLegs(engine, account, owner, legs).map(({ record }) => record.leg_id!);
  if (spec?.track !== true) return;
  const entry = { symbol, side, spec, price: price!, orderId, executionId: null };
  const watch = trackEntry(engine, account, entry);
  order.entryTrack = {
    watch_id: watch.watchId,
    min_move_bps: watch.minMoveBps,
    max_drift_bps: watch.maxDriftBps,
  };
}

function toSpec(
  account: Account,
  request: OrderRequest,
  made: { idempotencyKey: string | null; priceFrom: PriceFromResolution | null },
): OrderSpec {
  const isMarket = request.order_type === 'market';
  return {
    symbol: request.symbol,
    side: request.side,
    size: request.size,
    price: request.price ?? made.priceFrom?.price ?? null,
    timeInForce: isMarket ? null : (request.time_in_force ?? 'gtc'),
    slippageBps: isMarket ? (request.slippage_bps ?? account.settings.default_slippage_bps) : null,
    reduceOnly: request.reduce_only ?? false,
    clientOrderId: request.client_order_id ?? null,
    idempotencyKey: made.idempotencyKey,
    priceFrom: made.priceFrom,
    request,
  };
}
