import { check, lastly, type Check } from './Check.ts';
import type { Json } from './kit/Answer.ts';
import { accepted, equal, that } from './kit/claims.ts';
import { launch, place, restingOrder } from './kit/trading.ts';
import { Inconclusive } from './kit/Inconclusive.ts';

const prefix = check('VER-1', 'read', 'everything is under /v1/', async (stage) => {
  const me = await stage.actor();
  accepted(await me.call('utility.status'), 'a request under /v1/');
  for (const path of ['/api/status', '/api/v1/status', '/status', '/v2/status', '/']) {
    const { status } = await me.raw({ method: 'GET', path }).catch(() => ({ status: 404 }));
    equal(status, 404, `status of ${path}`);
  }
});

/** Names of the spec's own examples and tables; frozen here, separate from the schemas. */
const ORDER_FIELDS = [
  'symbol',
  'side',
  'size',
  'order_type',
  'price',
  'client_order_id',
  'reduce_only',
  'queued',
];
const RESOLUTION_FIELDS = [
  'indicator',
  'interval',
  'series',
  'indicator_value',
  'bar_time',
  'anchor',
  'anchor_price',
  'trigger_price',
];
const LAUNCH_FIELDS = ['algo', 'symbol', 'side', 'total_size', 'reduce_only', 'status'];

function has(record: Json, fields: readonly string[], what: string): void {
  const missing = fields.filter((field) => record?.[field] === undefined);
  equal(missing, [], `fields that are missing of ${what}`);
}

const surface = check(
  'VER-2',
  'paper',
  'orders and executions keep their fields',
  async (stage) => {
    const me = await stage.actor();
    const base = await restingOrder(stage, me);
    const offset = { mult: 2, indicator: 'atr', params: { period: 14 }, interval: '1m' };
    const client_order_id = stage.unique();
    const order = await place(me, { ...base, client_order_id, stop_loss: { offset } });
    has(order, ORDER_FIELDS, 'an order result');
    has(order.stop_loss?.resolution, RESOLUTION_FIELDS, 'a resolution');
    const { symbol, side, size: total_size } = base;
    const params = { duration_seconds: 600 };
    const body = { algo: 'pacemaker', symbol, side, total_size, params };
    const execution = accepted(await launch(stage, me, body), 'a launch');
    has(execution, LAUNCH_FIELDS, 'an execution');
  },
);

const reads = check(
  'VER-2',
  'read',
  'candles, values and errors keep their fields',
  async (stage) => {
    const me = await stage.actor();
    const params = { symbol: stage.instrument.symbol };
    const candles = await me.call('market.candles', {
      params,
      query: { interval: '1m', limit: 2 },
    });
    has(accepted(candles), ['candles', 'cached', 'age_seconds'], 'a candles response');
    has(candles.body.candles[0], ['open', 'high', 'low', 'close', 'volume'], 'a bar');
    const indicators = [{ id: 'a', indicator: 'sma' }];
    const body = { ...params, interval: '1m', indicators };
    const values = accepted(await me.call('market.evaluate', { body }), 'an evaluation');
    has(values.values[0], ['bar_time', 'value'], 'a value');
    const { body: refusal } = await me.call('orders.get', { params: { id: 'no_such_order' } });
    has(refusal, ['error', 'request_id'], 'the error envelope');
  },
);

const CORE_PATHS = [
  '/v1/execute',
  '/v1/executions',
  '/v1/executions/{id}',
  '/v1/executions/{id}/stop',
  '/v1/executions/{id}/pause',
  '/v1/executions/{id}/resume',
  '/v1/order',
  '/v1/candles/{symbol}',
  '/v1/indicators/evaluate',
  '/v1/positions/{symbol}/tpsl',
  '/v1/connections',
];

const described = check(
  'VER-2',
  'paper',
  'the OpenAPI document has the core paths',
  async (stage) => {
    const { body } = await stage.plain({ method: 'GET', path: '/paper/openapi.json' });
    that(String(body?.openapi).startsWith('3.1'), 'an OpenAPI 3.1 document', body?.openapi);
    const paths = Object.keys(body.paths ?? {});
    const isThere = (path: string): boolean =>
      paths.includes(path) || paths.includes(path.replace('/v1', ''));
    equal(
      CORE_PATHS.filter((path) => !isThere(path)),
      [],
      'core paths that are missing',
    );
    const events = await stage.plain({ method: 'GET', path: '/paper/asyncapi.json' });
    that(typeof events.body?.asyncapi === 'string', 'an AsyncAPI document', events.status);
  },
);

const dialect = lastly(
  check('DIAL-1', 'read', 'what was found at the silent points is the dialect', async (stage) => {
    const { findings } = stage;
    if (findings.length === 0)
      throw new Inconclusive('No check that looks at a silent point has run.');
    const odd = findings.filter(({ isAsExpected }) => !isAsExpected);
    equal(
      odd.map(({ point, text }) => `${point}: ${text}`),
      [],
      'points that differ',
    );
    return `${new Set(findings.map(({ point }) => point)).size} points seen`;
  }),
);

export const versioningChecks: readonly Check[] = [prefix, surface, reads, described, dialect];
