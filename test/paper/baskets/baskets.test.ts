import { describe, expect, test } from 'vitest';
import { checkRequest, defaultDialect, type EndpointId } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat } from '../engine/bench.ts';

const leg = (symbol: string, rest: object = {}) => ({
  algo: 'pacemaker',
  symbol,
  side: 'buy',
  total_size: 4,
  params: { duration_seconds: 240, slices: 4 },
  ...rest,
});

function bench() {
  const feeds = [feedOf(flat(100, 60)), feedOf(flat(50, 60), { symbol: 'ETH' })];
  const made = createBench({ feeds });
  made.run(5);
  const launch = (body: object) => made.call('baskets.launch', { body, idempotencyKey: 'key-1' });
  const control = (action: string, id: string) =>
    made.call(`baskets.${action}` as EndpointId, { pathParams: { id } });
  const get = (id: string) => made.call('baskets.get', { pathParams: { id } });
  return { ...made, launch, control, get };
}

test("BSK-1: its legs are executions of their own, under the launch's key", () => {
  const { launch, call, run, get } = bench();
  const legs = [leg('BTC'), leg('ETH')];
  const basket = launch({ name: 'pair', legs });
  expect(basket).toMatchObject({
    name: 'pair',
    status: 'running',
    request: { name: 'pair', legs },
  });
  const ids = basket.legs.map((each: { execution_id: string }) => each.execution_id);
  for (const id of ids) {
    expect(call('executions.get', { pathParams: { id } })).toMatchObject({
      status: 'running',
      idempotency_key: 'key-1',
    });
  }
  run(5);
  expect(get(basket.basket_id)).toMatchObject({
    status: 'completed',
    legs: [{ status: 'completed' }, { status: 'completed' }],
  });
});

test('BSK-1: one refused leg launches none', () => {
  const { refusal, call } = bench();
  const legs = [leg('BTC'), leg('ETH', { total_size: 0.000001 })];
  expect(refusal('baskets.launch', { body: { legs } }).code).toBe('validation_failed');
  const unknown = refusal('baskets.launch', { body: { legs: [leg('BTC'), leg('DOGE')] } });
  expect(unknown.code).toBe('unknown_symbol');
  expect(call('executions.list').items).toEqual([]);
  expect(call('baskets.list').items).toEqual([]);
});

test('the rows of all legs together must fit', () => {
  const { refusal, order } = bench();
  for (let row = 0; row < 19; row++) {
    const stop_loss = { trail: { pct: 1, interval: '1m' } };
    order({ side: 'buy', size: 1, order_type: 'limit', price: 90, stop_loss });
  }
  const stop_loss = { trail: { pct: 1, interval: '1m' } };
  const legs = [leg('BTC', { stop_loss }), leg('ETH', { stop_loss })];
  expect(refusal('baskets.launch', { body: { legs } }).code).toBe('trailing_limit');
});

test('controls reach every leg that accepts them; 409 if none does', () => {
  const { launch, control, get, call, refusal } = bench();
  const { basket_id: id, legs } = launch({ legs: [leg('BTC'), leg('ETH')] });
  call('executions.stop', { pathParams: { id: legs[0].execution_id } });
  expect(get(id).status).toBe('running');
  expect(control('pause', id)).toMatchObject({
    status: 'paused',
    legs: [{ status: 'stopped' }, { status: 'paused' }],
  });
  const pathParams = { id };
  expect(refusal('baskets.pause', { pathParams })).toMatchObject({
    code: 'invalid_transition',
    details: { from: 'paused', action: 'pause', allowed: ['resume', 'stop'] },
  });
  expect(control('resume', id).status).toBe('running');
  expect(refusal('baskets.resume', { pathParams }).details).toEqual({
    from: 'running',
    action: 'resume',
    allowed: ['pause', 'stop'],
  });
  expect(control('stop', id).status).toBe('stopped');
  expect(refusal('baskets.stop', { pathParams }).details).toMatchObject({ allowed: [] });
  expect(refusal('baskets.stop', { pathParams: { id } }).details).toMatchObject({
    from: 'stopped',
  });
});

test('its status is that of its liveliest leg, whichever comes first', () => {
  const statuses = ['running', 'paused', 'interrupted', 'stopped'] as const;
  const reach = (made: ReturnType<typeof bench>, id: string, status: string): void => {
    if (status === 'paused') made.call('executions.pause', { pathParams: { id } });
    if (status === 'stopped') made.call('executions.stop', { pathParams: { id } });
    // All others were running when the venue was lost.
    if (status === 'running') made.call('executions.resume', { pathParams: { id } });
  };
  for (const first of statuses)
    for (const second of statuses) {
      const made = bench();
      const { basket_id: id, legs } = made.launch({ legs: [leg('BTC'), leg('ETH')] });
      const wanted = [first, second].map((status, at) => ({ status, id: legs[at].execution_id }));
      for (const one of wanted) if (one.status !== 'running') reach(made, one.id, one.status);
      made.engine.interruptExecutions();
      for (const one of wanted) if (one.status === 'running') reach(made, one.id, one.status);
      const liveliest = statuses.find((status) => status === first || status === second);
      expect(made.get(id), `${first} ${second}`).toMatchObject({
        status: liveliest,
        legs: [{ status: first }, { status: second }],
      });
    }
});

test('templates: stored, launched by id within a range, at most ten', () => {
  const { call, launch, refusal } = bench();
  const params = { duration_seconds: 240, slices: 4, limit_price: 101 };
  const body = { name: 'one', legs: [leg('BTC', { params })] };
  const { template_id: id } = call('baskets.createTemplate', { body });
  const basket = launch({ template_id: id });
  expect(basket).toMatchObject({ template_id: id, status: 'running', legs: [{ symbol: 'BTC' }] });
  const outside = refusal('baskets.launch', {
    body: { template_id: id, price_range: { low: 90, high: 100 } },
  });
  expect(outside.code).toBe('validation_failed');
  expect(launch({ template_id: id, price_range: { low: 90, high: 110 } }).price_range).toEqual({
    low: 90,
    high: 110,
  });
  for (let count = 1; count < 10; count++) call('baskets.createTemplate', { body });
  const eleventh = refusal('baskets.createTemplate', { body });
  expect([eleventh.code, eleventh.status]).toEqual(['template_limit', 409]);
  call('baskets.removeTemplate', { pathParams: { id } });
  expect(call('baskets.createTemplate', { body }).name).toBe('one');
  expect(refusal('baskets.launch', { body: { template_id: id } }).code).toBe('not_found');
});

test.each([
  ['an unknown symbol', { symbol: 'NONE' }, 'unknown_symbol', undefined],
  ['decimals of a size', { total_size: 4.123_456_7 }, 'validation_failed', 'legs.1.total_size'],
  [
    'decimals of a price',
    { params: { duration_seconds: 240, slices: 4, limit_price: 101.001 } },
    'validation_failed',
    'legs.1.params.limit_price',
  ],
  [
    'decimals of a stop',
    { stop_loss: { price: 90.001 } },
    'validation_failed',
    'legs.1.stop_loss.price',
  ],
])('RULE-3: a template is refused for %s, as its launch would be', (_what, fields, code, path) => {
  const { call, refusal } = bench();
  const legs = [leg('ETH', { total_size: 4 }), leg('BTC', fields)];
  const stored = refusal('baskets.createTemplate', { body: { name: 'bad', legs } });
  const launched = refusal('baskets.launch', { body: { legs } });
  expect([stored.code, stored.details]).toEqual([launched.code, launched.details]);
  expect([stored.code, stored.details['fields']]).toEqual([
    code,
    path === undefined ? undefined : [expect.objectContaining({ path })],
  ]);
  expect(call('baskets.templates').items).toEqual([]);
});

test.each([
  [
    'glidemaker',
    'params.limit_price_from',
    (from: object) => ({ strategy: 'passive', limit_price_from: from }),
  ],
  ['ghostsweep', 'trigger_from', () => ({})],
])(
  'a level of %s that is resolved outside the range is refused, as one that is sent is',
  (algo, field, params) => {
    for (const track of [true, false]) {
      const { launch, refusal, call } = bench();
      const from = { indicator: 'sma', params: { period: 2 }, interval: '1m', track };
      const more = {
        algo,
        params: params(from),
        ...(algo === 'ghostsweep' && { trigger_from: from }),
      };
      const legs = [leg('ETH', { total_size: 4 }), leg('BTC', more)];
      const outside = { legs, price_range: { low: 101, high: 110 } };
      expect(refusal('baskets.launch', { body: outside }).details).toMatchObject({
        fields: [{ path: `legs.1.${field}`, code: 'outside_range' }],
      });
      expect(call('executions.list').items).toEqual([]);
      const { template_id } = call('baskets.createTemplate', { body: { name: 'x', ...outside } });
      expect(refusal('baskets.launch', { body: { template_id } }).code).toBe('validation_failed');
      // A sweep may pay 100 bps more than its trigger.
      expect(launch({ legs, price_range: { low: 100, high: 101 } }).legs).toHaveLength(2);
      expect(launch({ legs }).legs).toHaveLength(2);
    }
  },
);

describe('BSK-1: what a sweep may pay beyond its trigger lies in the range, too', () => {
  const trigger_from = { indicator: 'sma', params: { period: 2 }, interval: '1m' };
  test.each([
    ['buy', undefined, 101],
    ['sell', undefined, 99],
    ['buy', 250, 102.5],
    ['sell', 250, 97.5],
  ] as const)('a %s of %s bps', (side, bps, farthest) => {
    const { launch, refusal, call } = bench();
    const more = { side, ...(bps !== undefined && { sweep_limit_bps: bps }) };
    const sent = leg('BTC', { algo: 'ghostsweep', ...more, params: { trigger_price: 100 } });
    const read = leg('BTC', { algo: 'ghostsweep', ...more, params: {}, trigger_from });
    const within = { low: Math.min(99.99, farthest), high: Math.max(100.01, farthest) };
    const short =
      side === 'buy'
        ? { ...within, high: within.high - 0.01 }
        : { ...within, low: within.low + 0.01 };
    const outside = { path: 'legs.0.sweep_limit_bps', code: 'outside_range' };
    const shape = (price_range: object, one: object = sent) =>
      checkRequest('baskets.launch', { legs: [one], price_range }, defaultDialect);
    expect(shape(within).ok).toBe(true);
    expect(shape(short)).toMatchObject({ ok: false, fault: { details: { fields: [outside] } } });
    const { details } = refusal('baskets.launch', { body: { legs: [read], price_range: short } });
    expect(details).toMatchObject({ fields: [outside] });
    expect(call('executions.list').items).toEqual([]);
    expect(launch({ legs: [read], price_range: within }).legs).toHaveLength(1);
    // An absolute limit is the one that counts.
    const { sweep_limit_bps: _bps, ...rest } = sent as { sweep_limit_bps?: number };
    expect(shape(short, { ...rest, sweep_limit: 100 }).ok).toBe(true);
  });
});
