import {
  checkShape,
  defaultDialect,
  INTERVAL_MS,
  type EndpointId,
} from '../../src/contract/index.ts';
import type { Draw } from './Draw.ts';
import { fromSchema, type Setting } from './fromSchema.ts';
import type { Known } from './Known.ts';

/** A request before serialisation: the parts that an endpoint takes. */
export interface ShapedRequest {
  endpoint: EndpointId;
  pathParams: Record<string, unknown>;
  query: Record<string, unknown>;
  /** undefined: no body. */
  body: unknown;
}

/** Kinds of ids by the family of the path that takes them. */
const ID_OF_FAMILY: Readonly<Record<string, string>> = {
  orders: 'order_id',
  executions: 'execution_id',
  monitors: 'monitor_id',
  webhooks: 'webhook_id',
  baskets: 'basket_id',
};

const ATTEMPTS = 12;

/**
 * A request that the endpoint's schemas accept. The service's answer depends on its state, too; most are
 * accepted.
 */
export function validRequest(endpoint: EndpointId, draw: Draw, known: Known): ShapedRequest {
  const spec = defaultDialect.endpoints[endpoint];
  let request = attempt(endpoint, draw, known);
  for (let round = 0; round < ATTEMPTS; round++) {
    const query = checkShape<unknown>(spec.query, request.query);
    const body = spec.body === null || checkShape<unknown>(spec.body, request.body).ok;
    if (query.ok && body) return request;
    request = attempt(endpoint, draw, known);
  }
  return request;
}

function attempt(endpoint: EndpointId, draw: Draw, known: Known): ShapedRequest {
  const spec = defaultDialect.endpoints[endpoint];
  const symbol = draw.pick(known.symbols);
  const setting: Setting = { draw, known, surface: endpoint, symbol, side: 'buy', path: [] };
  return {
    endpoint,
    pathParams: pathParamsOf(spec.path, endpoint, setting),
    query: queryOf(endpoint, setting),
    body: bodyOf(endpoint, setting),
  };
}

function pathParamsOf(
  path: string,
  endpoint: EndpointId,
  setting: Setting,
): Record<string, string> {
  const { draw, known, symbol } = setting;
  const family = endpoint.split('.')[0]!;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const valueOf = (name: string): string => {
    if (name === 'symbol') return symbol;
    if (name === 'token') return known.id('token', draw);
    if (endpoint === 'baskets.removeTemplate') return known.id('template_id', draw);
    if (family === 'orders' && draw.chance(0.15)) {
      return `client:${known.id('client_order_id', draw)}`;
    }
    return known.id(ID_OF_FAMILY[family] ?? 'order_id', draw);
  };
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

function queryOf(endpoint: EndpointId, setting: Setting): Record<string, unknown> {
  const { draw } = setting;
  const spec = defaultDialect.endpoints[endpoint];
  const query = fromSchema(spec.query, setting) as Record<string, unknown>;
  if (endpoint === 'market.candles') return { ...query, interval: intervalOf(draw) };
  // Lists without filters are what most callers ask for.
  return endpoint !== 'streams.sse' && draw.chance(0.5) ? {} : query;
}

function intervalOf(draw: Draw): string {
  return draw.chance(0.8)
    ? draw.pick(['1m', '5m', '15m', '1h'])
    : draw.pick(Object.keys(INTERVAL_MS));
}

function bodyOf(endpoint: EndpointId, setting: Setting): unknown {
  const { draw } = setting;
  const spec = defaultDialect.endpoints[endpoint];
  if (endpoint === 'webhooks.inbound') return alertOf(setting);
  if (spec.body === null) return undefined;
  const body = fromSchema(spec.body, setting) as Record<string, unknown>;
  if (endpoint === 'webhooks.create' || endpoint === 'webhooks.update') {
    if (body['action'] !== undefined) body['action'] = webhookAction(setting);
    if (draw.chance(0.5)) body['cooldown_seconds'] = 0;
  }
  return body;
}

/** The action of an alert: a request of the named kind, its values sometimes templates. */
function webhookAction(setting: Setting): unknown {
  const { draw, symbol } = setting;
  const type = draw.pick(['order', 'execute', 'close'] as const);
  const { body } = defaultDialect.endpoints[ACTION_ENDPOINT[type]];
  const request = fromSchema(body!, setting) as Record<string, unknown>;
  delete request['client_order_id'];
  delete request['client_execution_id'];
  if (type === 'close') request['symbol'] = symbol;
  for (const name of ['side', 'size', 'total_size', 'price']) {
    if (request[name] !== undefined && draw.chance(0.2)) request[name] = `{{${name}}}`;
  }
  return { type, request };
}

const ACTION_ENDPOINT = {
  order: 'orders.place',
  execute: 'executions.launch',
  close: 'positions.close',
} as const;

function alertOf({ draw, known, symbol }: Setting): unknown {
  if (draw.chance(0.3)) return undefined;
  return {
    side: draw.pick(['buy', 'sell']),
    size: draw.int(1, 5) / 10 ** known.instrument(symbol).size_decimals,
    price: known.mark(symbol),
  };
}
