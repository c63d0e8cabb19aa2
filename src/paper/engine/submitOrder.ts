import type { OrderRequest } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { Account } from '../venue/Account.ts';
import { checkPrice, checkSize } from '../venue/checkGrid.ts';
import type { Order } from '../venue/Order.ts';
import { checkOrder, createOrder, enterOrder, type OrderSpec } from '../venue/placeOrder.ts';
import { fieldFault } from './fieldFault.ts';
import type { World } from './World.ts';

/**
 * `POST /v1/order`: grid, identity, live checks, then the order (ORD-1, ORD-2). A refusal leaves
 * nothing behind. Monitors and webhooks place their orders here too.
 */
export function submitOrder(
  world: World,
  account: Account,
  { request, idempotencyKey }: { request: OrderRequest; idempotencyKey: string | null },
): Order {
  const { instrument } = world.market.at(request.symbol);
  checkSize('size', request.size, instrument);
  if (request.price !== undefined) checkPrice('price', request.price, instrument);
  checkClientOrderId(account, request.client_order_id);
  for (const field of ['price_from', 'take_profit', 'stop_loss'] as const) {
    if (request[field] === undefined) continue;
    throw fieldFault(field, 'not_available', `${field} is not available yet.`);
  }
  const spec = toSpec(account, request, idempotencyKey);
  checkOrder(world, account, spec);
  return enterOrder(world, account, createOrder(world, account, spec), () => {});
}

function checkClientOrderId(account: Account, id: string | undefined): void {
  if (id === undefined || !account.clientOrderIds.has(id)) return;
  throw new ServiceError('duplicate_client_order_id', { details: { client_order_id: id } });
}

function toSpec(account: Account, request: OrderRequest, idempotencyKey: string | null): OrderSpec {
  const isMarket = request.order_type === 'market';
  return {
    symbol: request.symbol,
    side: request.side,
    size: request.size,
    price: request.price ?? null,
    timeInForce: isMarket ? null : (request.time_in_force ?? 'gtc'),
    slippageBps: isMarket ? (request.slippage_bps ?? account.settings.default_slippage_bps) : null,
    reduceOnly: request.reduce_only ?? false,
    clientOrderId: request.client_order_id ?? null,
    idempotencyKey,
    request,
  };
}
