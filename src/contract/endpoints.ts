import { z } from 'zod';
import * as automation from './automationRequests.ts';
import { algoRecord } from './algorithms.ts';
import { batchExecutionsRequest, executeRequest } from './executeRequest.ts';
import { withCode } from './failures/withCode.ts';
import { indicatorRecord } from './indicatorCatalogue.ts';
import * as market from './marketRequests.ts';
import { modifyOrderRequest, orderRequest } from './orderRequest.ts';
import * as position from './positionRequests.ts';
import * as r from './records.ts';
import type { Scope } from './vocabulary.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** One endpoint of the service. `path` is below `{base_url}/v1`, its parameters in braces. */
export interface EndpointSpec {
  method: Method;
  path: string;
  /** null: unsigned (AUTH-9). */
  scope: Scope | null;
  /** Rate-budget weight of one call (LIM-1). */
  weight: number;
  /** Weight in special cases: served from cache, with a time range, a leg of a basket. */
  weightCached?: number;
  weightWithRange?: number;
  /** Whether the venue-weight budget is charged too (market data; conventions §2). */
  venueWeight?: boolean;
  /** 201 where something is created. */
  success: 200 | 201;
  query: z.ZodType;
  body: z.ZodType | null;
  response: z.ZodType;
  /** Description, for the generated documents. */
  summary: string;
}

const empty = market.noQuery;
const list = market.listQuery;

const read = <const P extends string, Q extends z.ZodType, R extends z.ZodType>(
  path: P,
  weight: number,
  query: Q,
  response: R,
  summary: string,
) => ({
  method: 'GET' as const,
  path,
  scope: 'read' as const,
  weight,
  success: 200 as const,
  query,
  body: null,
  response,
  summary,
});

/** Any list may be asked for a range of time, which weighs more (conventions §2). */
const listed = <const P extends string, R extends z.ZodType>(
  path: P,
  weight: number,
  response: R,
  summary: string,
) => ({ ...read(path, weight, list, response, summary), weightWithRange: 5 as const });

const write = <
  const M extends Method,
  const P extends string,
  const S extends Scope,
  B extends z.ZodType | null,
  R extends z.ZodType,
>(
  method: M,
  path: P,
  scope: S,
  weight: number,
  body: B,
  response: R,
  summary: string,
  success: 200 | 201 = 200,
) => ({ method, path, scope, weight, success, query: empty, body, response, summary });

/** A control takes no body; its path names what it changes. */
const control = <const P extends string, R extends z.ZodType>(
  path: P,
  response: R,
  summary: string,
) => write('POST', path, 'algo', 5, null, response, summary);

/**
 * Every endpoint: method, path, scope, weight, shapes (spec §4, conventions §2 and §3). The client's
 * methods, the paper service's router, `GET /weights` and the published descriptions are made from
 * this table. The id is `family.method`.
 */
export const ENDPOINTS = {
  'utility.health': {
    ...read('/health', 0, empty, r.healthRecord, 'Whether the service is up.'),
    scope: null,
  },
  'utility.status': read('/status', 1, empty, r.statusRecord, 'Status by layer, and server time.'),
  'utility.rateLimits': read('/rate-limits', 1, empty, r.rateLimitsRecord, 'The rate budget.'),
  'utility.weights': listed('/weights', 1, r.page(r.weightRecord), 'Weight by endpoint.'),

  'connections.list': listed('/connections', 1, r.page(r.connectionRecord), 'Linked wallets.'),

  'account.get': read('/account', 2, empty, r.accountRecord, 'Equity, margin, P&L.'),
  'account.balances': listed('/account/balances', 2, r.page(r.balanceRecord), 'Balances.'),
  'account.pnl': listed('/account/pnl', 2, r.page(r.pnlRecord), 'P&L by symbol and UTC day.'),
  'account.feeTier': read('/account/fee-tier', 2, empty, r.feeTierRecord, 'Fee tier and volume.'),
  'account.referrals': read('/account/referrals', 2, empty, r.referralsRecord, 'Referrals.'),
  'account.settings': read('/account/settings', 2, empty, r.settingsRecord, 'Account settings.'),
  'account.updateSettings': write(
    'PATCH',
    '/account/settings',
    'trade',
    2,
    position.settingsRequest,
    r.settingsRecord,
    'Changes account settings.',
  ),

  'market.instruments': listed(
    '/instruments',
    1,
    r.page(r.instrumentRecord),
    'Instruments and their grids.',
  ),
  'market.markets': {
    ...listed('/markets', 1, r.page(r.marketRecord), 'Mark, index, funding, volume.'),
    venueWeight: true,
  },
  'market.orderbook': {
    ...read('/orderbook/{symbol}', 2, market.orderbookQuery, r.orderbookRecord, 'Order book.'),
    venueWeight: true,
  },
  'market.price': {
    ...read('/price/{symbol}', 1, empty, r.priceRecord, 'Mark, bid, ask and last.'),
    venueWeight: true,
  },
  'market.candles': {
    ...read('/candles/{symbol}', 2, market.candlesQuery, r.candlesRecord, 'Closed bars.'),
    weightCached: 1,
    venueWeight: true,
  },
  'market.indicators': listed(
    '/indicators',
    1,
    r.page(indicatorRecord),
    'The indicator catalogue.',
  ),
  'market.evaluate': {
    ...write(
      'POST',
      '/indicators/evaluate',
      'read',
      5,
      market.evaluateRequest,
      r.evaluateRecord,
      'Indicator values at the last closed bar.',
    ),
    venueWeight: true,
  },

  'orders.place': write(
    'POST',
    '/order',
    'trade',
    2,
    orderRequest,
    r.orderResult,
    'Places an order.',
    201,
  ),
  'orders.list': listed('/orders', 2, r.page(r.orderRecord), 'Open orders.'),
  'orders.history': listed('/orders/history', 2, r.page(r.orderRecord), 'Closed orders.'),
  'orders.get': read('/orders/{id}', 2, empty, r.orderRecord, 'One order.'),
  'orders.modify': write(
    'PATCH',
    '/orders/{id}',
    'trade',
    2,
    modifyOrderRequest,
    r.orderRecord,
    'Changes price or size of an open order.',
  ),
  'orders.cancel': write(
    'DELETE',
    '/orders/{id}',
    'trade',
    2,
    null,
    r.orderRecord,
    'Cancels an order.',
  ),
  'orders.bulkCancel': {
    ...write('DELETE', '/orders', 'trade', 5, null, r.resultsRecord, 'Cancels all open orders.'),
    query: market.bulkCancelQuery,
  },
  'orders.fills': listed('/fills', 2, r.page(r.fillRecord), 'Fills, newest first.'),

  'positions.list': listed('/positions', 2, r.page(r.positionRecord), 'Open positions.'),
  'positions.get': read('/positions/{symbol}', 2, empty, r.positionRecord, 'One position.'),
  'positions.entryFees': read(
    '/positions/{symbol}/entry-fees',
    2,
    empty,
    r.entryFeesRecord,
    'What the entry cost.',
  ),
  'positions.close': write(
    'POST',
    '/positions/{symbol}/close',
    'trade',
    2,
    position.closePositionRequest,
    z.union([r.executionRecord, r.orderRecord]),
    'Closes a position by a market order or an algorithm.',
    201,
  ),
  'positions.legs': listed(
    '/positions/{symbol}/tpsl',
    2,
    r.page(r.legRecord),
    'Legs on the position.',
  ),
  'positions.attachLegs': write(
    'POST',
    '/positions/{symbol}/tpsl',
    'trade',
    2,
    position.tpslRequest,
    r.tpslRecord,
    'Attaches take-profit and stop-loss, in place of attached ones. Legs of orders and launches stay.',
    201,
  ),
  'positions.retireLegs': write(
    'DELETE',
    '/positions/{symbol}/tpsl',
    'trade',
    2,
    null,
    r.tpslRecord,
    'Retires both attached legs. Legs of orders and launches stay.',
  ),
  'leverage.get': read('/leverage/{symbol}', 2, empty, r.leverageRecord, 'Leverage of a symbol.'),
  'leverage.set': write(
    'PUT',
    '/leverage/{symbol}',
    'trade',
    2,
    position.leverageRequest,
    r.leverageRecord,
    'Sets leverage and margin mode.',
  ),

  'executions.algos': listed('/algos', 1, r.page(algoRecord), 'The six algorithms.'),
  'executions.launch': write(
    'POST',
    '/execute',
    'algo',
    20,
    executeRequest,
    r.executionRecord,
    'Launches an algorithm.',
    201,
  ),
  'executions.list': listed(
    '/executions',
    2,
    r.page(r.executionRecord),
    'Executions, newest first.',
  ),
  'executions.get': read('/executions/{id}', 2, empty, r.executionRecord, 'One execution.'),
  'executions.orders': listed(
    '/executions/{id}/orders',
    2,
    r.page(r.orderRecord),
    'Its child orders.',
  ),
  'executions.fills': listed('/executions/{id}/fills', 2, r.page(r.fillRecord), 'Its fills.'),
  'executions.events': listed(
    '/executions/{id}/events',
    2,
    r.page(r.executionEventRecord),
    'What happened to it.',
  ),
  'executions.stop': control('/executions/{id}/stop', r.executionRecord, 'Stops it.'),
  'executions.pause': control('/executions/{id}/pause', r.executionRecord, 'Pauses it.'),
  'executions.resume': control('/executions/{id}/resume', r.executionRecord, 'Resumes it.'),
  'executions.completeAtMarket': control(
    '/executions/{id}/complete-at-market',
    r.executionRecord,
    'Sweeps it to fully filled.',
  ),
  'executions.markComplete': control(
    '/executions/{id}/mark-complete',
    r.executionRecord,
    'Declares a paused or interrupted execution complete.',
  ),
  'executions.batch': write(
    'POST',
    '/executions/batch',
    'algo',
    5,
    batchExecutionsRequest,
    r.resultsRecord,
    'One control for many executions.',
  ),

  'monitors.list': listed('/monitors', 2, r.page(r.monitorRecord), 'Monitors.'),
  'monitors.create': write(
    'POST',
    '/monitors',
    'algo',
    5,
    automation.monitorRequest,
    r.monitorRecord,
    'Arms a monitor.',
    201,
  ),
  'monitors.get': read('/monitors/{id}', 2, empty, r.monitorRecord, 'One monitor.'),
  'monitors.remove': write(
    'DELETE',
    '/monitors/{id}',
    'algo',
    5,
    null,
    r.monitorRecord,
    'Stops and removes a monitor.',
  ),
  'monitors.stop': control('/monitors/{id}/stop', r.monitorRecord, 'Stops a monitor.'),
  'monitors.pause': control('/monitors/{id}/pause', r.monitorRecord, 'Pauses a monitor.'),
  'monitors.resume': control('/monitors/{id}/resume', r.monitorRecord, 'Resumes a monitor.'),
  'monitors.rearm': control('/monitors/{id}/rearm', r.monitorRecord, 'Arms it again.'),
  'monitors.stopAll': control('/monitors/stop-all', r.resultsRecord, 'Stops all monitors.'),
  'monitors.pauseAll': control('/monitors/pause-all', r.resultsRecord, 'Pauses all monitors.'),
  'monitors.resumeAll': control('/monitors/resume-all', r.resultsRecord, 'Resumes all monitors.'),
  'monitors.groups': listed('/monitors/groups', 2, r.page(r.monitorGroupRecord), 'Monitor groups.'),
  'monitors.createGroup': write(
    'POST',
    '/monitors/groups',
    'algo',
    5,
    automation.monitorGroupRequest,
    r.monitorGroupRecord,
    'Groups monitors.',
    201,
  ),

  'webhooks.list': listed('/webhooks', 2, r.page(r.webhookRecord), 'Webhooks.'),
  'webhooks.create': write(
    'POST',
    '/webhooks',
    'algo',
    5,
    automation.webhookRequest,
    r.webhookRecord,
    'Creates a webhook; its token is shown whole.',
    201,
  ),
  'webhooks.update': write(
    'PATCH',
    '/webhooks/{id}',
    'algo',
    5,
    automation.webhookPatch,
    r.webhookRecord,
    'Changes a webhook.',
  ),
  'webhooks.remove': write(
    'DELETE',
    '/webhooks/{id}',
    'algo',
    5,
    null,
    r.webhookRecord,
    'Removes a webhook.',
  ),
  'webhooks.rotate': control('/webhooks/{id}/rotate', r.webhookRecord, 'Rotates its token.'),
  'webhooks.deliveries': listed(
    '/webhooks/{id}/deliveries',
    2,
    r.page(r.deliveryRecord),
    'Its deliveries.',
  ),
  'webhooks.inbound': {
    method: 'POST',
    path: '/hooks/{token}',
    scope: null,
    weight: 0,
    success: 200,
    query: empty,
    body: z.unknown(),
    response: z.looseObject({ outcome: z.string() }),
    summary: 'Receives an alert, JSON or plain text.',
  },

  'baskets.list': listed('/baskets', 2, r.page(r.basketRecord), 'Baskets.'),
  'baskets.launch': write(
    'POST',
    '/baskets',
    'algo',
    20,
    automation.basketRequest,
    r.basketRecord,
    'Launches a basket; the weight is per leg.',
    201,
  ),
  'baskets.get': read('/baskets/{id}', 2, empty, r.basketRecord, 'One basket.'),
  'baskets.stop': control('/baskets/{id}/stop', r.basketRecord, 'Stops all its legs.'),
  'baskets.pause': control('/baskets/{id}/pause', r.basketRecord, 'Pauses all its legs.'),
  'baskets.resume': control('/baskets/{id}/resume', r.basketRecord, 'Resumes all its legs.'),
  'baskets.templates': listed(
    '/baskets/templates',
    2,
    r.page(r.basketTemplateRecord),
    'Basket templates.',
  ),
  'baskets.createTemplate': write(
    'POST',
    '/baskets/templates',
    'algo',
    5,
    automation.basketTemplateRequest,
    r.basketTemplateRecord,
    'Keeps a basket as a template.',
    201,
  ),
  'baskets.removeTemplate': write(
    'DELETE',
    '/baskets/templates/{id}',
    'algo',
    5,
    null,
    r.basketTemplateRecord,
    'Removes a template.',
  ),

  'streams.websocket': read('/stream', 1, empty, z.unknown(), 'WebSocket upgrade.'),
  'streams.sse': read('/stream/sse', 1, market.sseQuery, z.unknown(), 'Server-sent events.'),
} as const satisfies Record<string, EndpointSpec>;

export type EndpointId = keyof typeof ENDPOINTS;
export const ENDPOINT_IDS = Object.keys(ENDPOINTS) as EndpointId[];

type Table = typeof ENDPOINTS;

/** Names inside the braces of a path. */
type PathParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParamNames<Rest>
  : never;

export type PathParamsOf<E extends EndpointId> = PathParamNames<Table[E]['path']>;
export type QueryOf<E extends EndpointId> = z.infer<Table[E]['query']>;
export type BodyOf<E extends EndpointId> = Table[E]['body'] extends z.ZodType
  ? z.infer<Table[E]['body']>
  : undefined;
export type ResponseOf<E extends EndpointId> = z.infer<Table[E]['response']>;

/** The row without its literal types, for code that treats all endpoints alike. */
export function endpointSpec(id: EndpointId): EndpointSpec {
  return ENDPOINTS[id];
}

/**
 * Fills a path's parameters, percent-encoded, so that a spot symbol's slash stays inside its segment
 * (ORD-5). An empty or dot segment would name another resource (`DELETE /orders/` cancels all), so it
 * is a programmer's error.
 */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined)
      throw withCode(
        'TRIMTAB_WIRE_UNSENDABLE',
        new Error(`The path ${path} needs the parameter ${name}.`),
      );
    if (value === '' || value === '.' || value === '..') {
      throw withCode(
        'TRIMTAB_WIRE_UNSENDABLE',
        new Error(`The parameter ${name} of ${path} can't be '${value}'.`),
      );
    }
    return encodeURIComponent(value);
  });
}
