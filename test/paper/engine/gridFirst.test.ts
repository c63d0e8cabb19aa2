/**
 * RULE-3: the decimals of sizes and prices are shape, which is judged before anything that is live (conventions §1:
 * "shape 422, a scope that the body asks for 403, live checks"), wherever in a request they stand.
 */
import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat } from './bench.ts';

const entry = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 95 } as const;
const launch = {
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 1,
  params: { duration_seconds: 600 },
} as const;
const level = { indicator: 'sma', params: { period: 2 }, interval: '1m' } as const;

/** A flat market at 100 in cents, a position in ETH, and what the requests below collide with. */
function open() {
  const feeds = ['BTC', 'ETH', 'SOL'].map((symbol) => feedOf(flat(100, 30), { symbol }));
  const bench = createBench({ feeds, instruments: { SOL: { price_decimals: 2 } } });
  const { order, call, run } = bench;
  run(20);
  order({ symbol: 'ETH', side: 'buy', size: 1, order_type: 'market' });
  order({ ...entry, client_order_id: 'used' });
  call('executions.launch', { body: { ...launch, client_execution_id: 'used' } });
  const closed = order(entry).order_id as string;
  call('orders.cancel', { pathParams: { id: closed } });
  const { price: _price, ...tracking } = { ...entry, price_from: { ...level, track: true } };
  const tracked = order(tracking).order_id as string;
  return { ...bench, ids: { closed, tracked } };
}

type Ids = ReturnType<typeof open>['ids'];
/** A request whose price at `path` is `price`, and which live data refuse with `code` if that is on the grid. */
type Row = [
  endpoint: EndpointId,
  code: string,
  path: string,
  request: (price: number, ids: Ids) => { body: object; pathParams?: Record<string, string> },
];

const placed = (more: (price: number) => object): Row[3] => {
  return (price) => ({ body: { ...entry, ...more(price) } });
};
const launched = (more: (price: number) => object): Row[3] => {
  return (price) => ({ body: { ...launch, ...more(price) } });
};
const on = (symbol: string, more: (price: number) => object): Row[3] => {
  return (price) => ({ pathParams: { symbol }, body: more(price) });
};
const legs = (price: number) => ({ stop_loss: { price } });
/** Judged before the stop, and on the wrong side of a purchase. */
const pair = (price: number) => ({ take_profit: { price: 50 }, stop_loss: { price } });
const small = (kind: 'size' | 'total_size') => (price: number) => ({
  [kind]: 0.01,
  ...legs(price),
});
const again = (kind: string) => (price: number) => ({ [kind]: 'used', ...legs(price) });
const exit = (price: number) => ({ algo: 'smartexit', params: { stop_price: price } });

// prettier-ignore
const ROWS: Row[] = [
  ['orders.place', 'insufficient_margin', 'stop_loss.price', placed((price) => ({ size: 1e5, ...legs(price) }))],
  ['orders.place', 'duplicate_client_order_id', 'stop_loss.price', placed(again('client_order_id'))],
  ['orders.place', 'below_order_minimum', 'stop_loss.price', placed(small('size'))],
  ['orders.place', 'would_cross', 'stop_loss.price', placed((price) => ({ price: 101, time_in_force: 'post_only', ...legs(price) }))],
  ['orders.place', 'wrong_side_trigger', 'stop_loss.price', placed(pair)],
  ['executions.launch', 'duplicate_client_execution_id', 'stop_loss.price', launched(again('client_execution_id'))],
  ['executions.launch', 'below_order_minimum', 'stop_loss.price', launched(small('total_size'))],
  ['executions.launch', 'wrong_side_trigger', 'stop_loss.price', launched(pair)],
  ['baskets.launch', 'duplicate_client_execution_id', 'legs.1.stop_loss.price', (price) => ({
    body: { legs: [{ ...launch, client_execution_id: 'used' }, { ...launch, ...legs(price) }] },
  })],
  ['baskets.launch', 'below_order_minimum', 'legs.1.params.limit_price', (price) => ({
    body: { legs: [{ ...launch, total_size: 0.01 }, { ...launch, params: { ...launch.params, limit_price: price } }] },
  })],
  ['positions.attachLegs', 'no_position', 'stop_loss.price', on('SOL', legs)],
  ['positions.attachLegs', 'wrong_side_trigger', 'stop_loss.price', on('ETH', pair)],
  ['positions.close', 'no_position', 'params.stop_price', on('SOL', exit)],
  ['orders.modify', 'invalid_transition', 'price', (price, { closed: id }) => ({ pathParams: { id }, body: { price } })],
  ['orders.modify', 'tracked_entry_immutable', 'price', (price, { tracked: id }) => ({ pathParams: { id }, body: { price } })],
  ['monitors.create', 'indicator_not_ready', 'action.request.stop_loss.price', (price) => ({
    body: {
      trigger: { ...level, type: 'indicator_level', symbol: 'BTC', params: { period: 400 }, direction: 'above' },
      action: { type: 'order', request: { ...entry, ...legs(price) } },
    },
  })],
];

describe('RULE-3: a price off the grid is refused as such', () => {
  test.each(ROWS)('%s before %s: %s', (endpoint, code, path, request) => {
    const { refusal, ids } = open();
    const at = (price: number) => refusal(endpoint, request(price, ids) as never);
    expect(at(90).code).toBe(code);
    const refused = at(90.001);
    expect([refused.code, refused.status]).toEqual(['validation_failed', 422]);
    expect(refused.details['fields']).toMatchObject([{ path, code: 'price_grid' }]);
  });

  test('of an alert: nothing of it is done, and its delivery has the field', () => {
    const { call } = open();
    const request = { ...entry, client_order_id: 'used', stop_loss: { price: '{{price}}' } };
    const body = { name: 'a', dry_run: false, action: { type: 'order', request } };
    const { token, webhook_id: id } = call('webhooks.create', { body });
    call('webhooks.inbound', { pathParams: { token }, body: { price: 90.001 }, wallet: '' });
    const [delivery] = call('webhooks.deliveries', { pathParams: { id } }).items;
    expect(delivery.result.error.details.fields).toMatchObject([{ path: 'stop_loss.price' }]);
  });
});

test('RULE-3: the fields of a request fit each other before its id is looked for', () => {
  const { refusal } = open();
  const reducing = { reduce_only: true, stop_loss: { price: 90 } };
  const order = { ...entry, ...reducing, client_order_id: 'used' };
  const execution = { ...launch, ...reducing, client_execution_id: 'used' };
  for (const refused of [
    refusal('orders.place', { body: order }),
    refusal('executions.launch', { body: execution }),
  ])
    expect(refused.details['fields']).toMatchObject([{ path: 'stop_loss', code: 'needs_entry' }]);
});

test('RULE-3: a size off the grid is refused as such before the order is looked at', () => {
  const { refusal, ids } = open();
  const body = { size: 1.0000001 };
  const refused = refusal('orders.modify', { pathParams: { id: ids.closed }, body });
  expect(refused.details['fields']).toMatchObject([{ path: 'size', code: 'size_grid' }]);
});
