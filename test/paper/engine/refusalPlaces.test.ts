/** RULE-2: a refusal on live data says where in the request its cause stands. */
import { describe, expect, test } from 'vitest';
import { createBench, feedOf, flat } from './bench.ts';

/** At 5m: bars of 1m are too short, and of 12 hours there is none yet. */
function open() {
  const five = { interval: '5m', stepMs: 300_000 } as const;
  const feeds = [feedOf(flat(100, 60), five), feedOf(flat(50, 60), { ...five, symbol: 'ETH' })];
  const bench = createBench({ feeds });
  bench.run(20);
  const fieldOf = (...request: Parameters<typeof bench.refusal>): unknown => {
    const { code, message, details } = bench.refusal(...request);
    const [field] = details['fields'] as Array<{ path: string; code: string; message: string }>;
    expect([code, message]).toEqual(['validation_failed', `${field!.path}: ${field!.message}`]);
    return [field!.path, field!.code];
  };
  return { ...bench, fieldOf };
}

const read = { indicator: 'sma', params: { period: 2 }, interval: '1m' } as const;
const distance = { indicator: 'atr', params: { period: 2 }, mult: 2, interval: '1m' } as const;
const entry = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit' } as const;
const launch = {
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 1,
  params: { duration_seconds: 600 },
} as const;
const glide = {
  ...launch,
  algo: 'glidemaker',
  params: { strategy: 'passive', limit_price_from: read },
} as const;
const sweep = { ...launch, algo: 'ghostsweep', params: {}, trigger_from: read } as const;

describe('an interval that the feed does not serve', () => {
  test.each([
    ['orders.place', { ...entry, price_from: read }, 'price_from'],
    ['orders.place', { ...entry, price: 90, stop_loss: { at: read } }, 'stop_loss.at'],
    [
      'orders.place',
      { ...entry, price: 90, take_profit: { offset: distance } },
      'take_profit.offset',
    ],
    [
      'orders.place',
      { ...entry, price: 90, stop_loss: { trail: { pct: 1, interval: '1m' } } },
      'stop_loss.trail',
    ],
    ['orders.place', { ...entry, price: 90, stop_loss: { trail: distance } }, 'stop_loss.trail'],
    ['executions.launch', { ...launch, stop_loss: { trail: distance } }, 'stop_loss.trail'],
    ['executions.launch', glide, 'params.limit_price_from'],
    ['executions.launch', sweep, 'trigger_from'],
    [
      'monitors.create',
      {
        trigger: { type: 'indicator_level', symbol: 'BTC', ...read, direction: 'above' },
        action: { type: 'execute', request: launch },
      },
      'trigger',
    ],
    ['baskets.launch', { legs: [launch, glide] }, 'legs.1.params.limit_price_from'],
    ['baskets.launch', { legs: [launch, sweep] }, 'legs.1.trigger_from'],
    ['baskets.launch', { legs: [{ ...launch, stop_loss: { at: read } }] }, 'legs.0.stop_loss.at'],
  ] as const)('%s %j: %s', (endpoint, body, place) => {
    const { fieldOf } = open();
    expect(fieldOf(endpoint, { body })).toEqual([`${place}.interval`, 'interval_too_short']);
  });

  test('of a leg on the position', () => {
    const { order, fieldOf } = open();
    order({ side: 'buy', size: 1, order_type: 'market' });
    const pathParams = { symbol: 'BTC' };
    const body = { take_profit: { price: 120 }, stop_loss: { trail: { pct: 1, interval: '3m' } } };
    expect(fieldOf('positions.attachLegs', { pathParams, body })).toEqual([
      'stop_loss.trail.interval',
      'interval_too_short',
    ]);
  });

  test('nor can be built of it has a code of its own', () => {
    const three = { interval: '3m', stepMs: 180_000 } as const;
    const bench = createBench({ feeds: [feedOf(flat(100, 60), three)] });
    bench.run(20);
    const body = { ...entry, price_from: { ...read, interval: '5m' } };
    expect(bench.refusal('orders.place', { body }).details).toMatchObject({
      fields: [{ path: 'price_from.interval', code: 'unavailable_interval' }],
    });
  });
});

describe('an indicator without a value yet', () => {
  const long = { ...read, interval: '12h' } as const;

  test.each([
    ['orders.place', { ...entry, price_from: long }, 'price_from'],
    ['orders.place', { ...entry, price: 90, stop_loss: { at: long } }, 'stop_loss.at'],
    ['baskets.launch', { legs: [launch, { ...sweep, trigger_from: long }] }, 'legs.1.trigger_from'],
    [
      'monitors.create',
      {
        trigger: { type: 'indicator_level', symbol: 'BTC', ...long, direction: 'above' },
        action: { type: 'execute', request: launch },
      },
      'trigger',
    ],
  ] as const)('%s %j: %s', (endpoint, body, path) => {
    const { code, details } = open().refusal(endpoint, { body });
    expect(code).toBe('indicator_not_ready');
    expect(details).toEqual({ path, bars_needed: 2, bars_available: 0 });
  });
});

describe('BSK-1: a leg of a basket', () => {
  const of = (leg: object) => ({ body: { legs: [launch, { ...launch, symbol: 'ETH', ...leg }] } });

  test.each([
    [{ total_size: 1.1234567 }, 'legs.1.total_size'],
    [{ params: { duration_seconds: 600, limit_price: 50.123456 } }, 'legs.1.params.limit_price'],
    [{ stop_loss: { price: 49.123456 } }, 'legs.1.stop_loss.price'],
  ])('off the grid: %j', (leg, path) => {
    const { refusal } = open();
    expect(refusal('baskets.launch', of(leg)).details).toMatchObject({ fields: [{ path }] });
  });

  test.each([
    [{ symbol: 'DOGE' }, 'unknown_symbol', 404, { symbol: 'DOGE' }],
    [{ total_size: 0.01 }, 'below_order_minimum', 422, { minimum: 10, value: 0.5 }],
    [{ stop_loss: { price: 60 } }, 'wrong_side_trigger', 422, { leg: 'stop_loss' }],
    [{ client_execution_id: 'mine' }, 'duplicate_client_execution_id', 409, {}],
  ])('refused otherwise: %j', (leg, code, status, details) => {
    const { refusal, call } = open();
    call('executions.launch', { body: { ...launch, client_execution_id: 'mine' } });
    expect(refusal('baskets.launch', of(leg))).toMatchObject({
      code,
      status,
      details: { ...details, path: 'legs.1' },
    });
  });
});
