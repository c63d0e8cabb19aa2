import type { ModifyOrderRequest, OrderRequest } from '../../../contract/index.ts';
import type { Call, HandlerTable } from '../../core/Engine.ts';
import { ServiceError } from '../../core/ServiceError.ts';
import type { Account } from '../../venue/Account.ts';
import { closeOrder } from '../../venue/closeOrder.ts';
import { modifyOrder } from '../../venue/modifyOrder.ts';
import { isOpen, type Order } from '../../venue/Order.ts';
import { orderRecord } from '../../venue/publish.ts';
import { accountOf } from '../snapshotOf.ts';
import { submitOrder } from '../submitOrder.ts';
import type { EngineState } from '../EngineState.ts';
import { pageOfLedger } from './pageOf.ts';

/** Orders and fills (ORD-1 to ORD-4). */
export function orderRoutes(engine: EngineState): HandlerTable {
  const of = (call: Call): Account => accountOf(engine, call.wallet);
  const named = (call: Call): Order => findOrder(of(call), call.pathParams['id']!);
  return {
    'orders.place': (call) => {
      const order = submitOrder(engine, of(call), {
        request: call.body as OrderRequest,
        idempotencyKey: call.idempotencyKey,
      });
      return { body: orderRecord(of(call), order) };
    },
    'orders.list': (call) => ({ body: listOrders(engine, call, of(call), isOpen) }),
    'orders.history': (call) => ({
      body: listOrders(engine, call, of(call), (order) => !isOpen(order)),
    }),
    'orders.get': (call) => ({ body: orderRecord(of(call), named(call)) }),
    'orders.modify': (call) => {
      const order = named(call);
      modifyOrder(engine, of(call), order, call.body as ModifyOrderRequest);
      return { body: orderRecord(of(call), order) };
    },
    'orders.cancel': (call) => {
      const order = named(call);
      requireOpen(order, 'cancel');
      closeOrder(engine, of(call), order, { reason: null });
      return { body: orderRecord(of(call), order) };
    },
    'orders.bulkCancel': (call) => ({ body: bulkCancel(engine, call, of(call)) }),
    'orders.fills': (call) => ({
      body: pageOfLedger(engine, call, {
        ledger: of(call).fills,
        filterable: (fill) => fill,
        show: (fill) => ({ ...fill }),
      }),
    }),
  };
}

/** `{id}` is an order id or `client:{client_order_id}` (conventions §3). */
function findOrder(account: Account, id: string): Order {
  const clientId = id.startsWith('client:') ? id.slice('client:'.length) : null;
  const orderId = clientId === null ? id : account.clientOrderIds.get(clientId);
  const order = orderId === undefined ? undefined : account.orders.get(orderId);
  if (order === undefined) throw new ServiceError('not_found', { details: { id } });
  return order;
}

function requireOpen(order: Order, action: string): void {
  if (isOpen(order)) return;
  const details = { from: order.record.status, action, allowed: [] };
  throw new ServiceError('invalid_transition', { details });
}

function listOrders(
  engine: EngineState,
  call: Call,
  account: Account,
  isListed: (order: Order) => boolean,
) {
  return pageOfLedger(engine, call, {
    ledger: account.orders,
    filterable: ({ record }) => ({ ...record, time: record.created_time }),
    isListed,
    show: (order) => orderRecord(account, order),
  });
}

/** An exit of the service itself (a leg that triggered) goes on: its position would be unprotected without it. */
function bulkCancel(engine: EngineState, call: Call, account: Account) {
  const symbol = call.query['symbol'];
  if (typeof symbol === 'string') engine.market.at(symbol);
  const results = [];
  for (const order of account.openOrders.values()) {
    if (order.persistent || (symbol !== undefined && order.record.symbol !== symbol)) continue;
    closeOrder(engine, account, order, { reason: null });
    results.push({ id: order.record.order_id, ok: true });
  }
  return { results };
}
