import { describe, expect, test } from 'vitest';
import { createDialect, ENDPOINTS } from '../../../src/contract/index.ts';
import { codeOf, LAUNCH, openTestService, RESTING_ORDER, TAPE_START } from './openTestService.ts';

const weightOf = (answer: { headers: Record<string, string> }): number =>
  Number(answer.headers['x-service-weight']);

describe('LIM-1: weights', () => {
  test.each([
    ['GET', '/v1/status', undefined, 1],
    ['GET', '/v1/instruments', undefined, 1],
    ['GET', '/v1/price/BTC', undefined, 1],
    ['GET', '/v1/account', undefined, 2],
    ['GET', '/v1/orderbook/BTC', undefined, 2],
    ['GET', '/v1/fills', undefined, 2],
    ['GET', '/v1/fills?start_time=0', undefined, 5],
    ['GET', '/v1/orders/history?end_time=9', undefined, 5],
    ['POST', '/v1/order', RESTING_ORDER, 2],
    ['DELETE', '/v1/orders', undefined, 5],
    ['POST', '/v1/execute', LAUNCH, 20],
    ['POST', '/v1/positions/BTC/close', {}, 2],
    ['POST', '/v1/positions/BTC/close', { algo: 'pacemaker', params: {} }, 20],
    ['POST', '/v1/baskets', { legs: [LAUNCH, LAUNCH, LAUNCH] }, 60],
    ['POST', '/v1/baskets', { legs: Array.from({ length: 50 }, () => LAUNCH) }, 200],
    ['POST', '/v1/executions/batch', { action: 'stop', ids: ['x'] }, 5],
    ['PATCH', '/v1/account/settings', { default_leverage: 3 }, 2],
  ])('%s %s weighs %4$i', (method, target, body, weight) => {
    const headers = { 'idempotency-key': 'k' };
    const answer = openTestService().ask(target, { method, body, headers });
    expect(weightOf(answer)).toBe(weight);
    expect(answer.headers['x-service-weight-remaining']).toBe(String(1_200 - weight));
  });

  test.each([
    ['orders?start_time=1', 5],
    ['orders?end_time=1', 5],
    ['orders?symbol=BTC&limit=5', 2],
    ...[
      'orders/history',
      'positions',
      'positions/BTC/tpsl',
      'monitors',
      'monitors/groups',
      'baskets',
      'baskets/templates',
      'webhooks',
      'executions',
      'account/balances',
      'account/pnl',
      'instruments',
    ].map((path): [string, number] => [`${path}?start_time=1`, 5]),
  ])('a list with a range of time, whatever it lists: %s weighs %i', (target, weight) => {
    expect(weightOf(openTestService().ask(`/v1/${target}`))).toBe(weight);
  });

  test('GET /weights lists the whole table', () => {
    const { items } = openTestService().ask('/v1/weights').body;
    expect(items).toHaveLength(Object.keys(ENDPOINTS).length);
    expect(items).toContainEqual({
      method: 'POST',
      path: '/v1/execute',
      weight: 20,
      scope: 'algo',
    });
  });

  test.each([
    ['standard', 1_200],
    ['professional', 2_400],
    ['institutional', 6_000],
    ['elite', 12_000],
  ] as const)('tier %s has %i a minute', (tier, budget) => {
    const service = openTestService();
    service.addKey('vk_tier', ['read'], tier);
    const { body } = service.ask('/v1/rate-limits', { keyId: 'vk_tier' });
    expect(body).toMatchObject({
      tier,
      budget,
      window: 'sliding',
      used: 1,
      remaining: budget - 1,
      venue: { budget: 1_200, used: 0, gate: 840 },
    });
  });
});

test.each([
  ['sliding', 105_000],
  ['fixed', 60_000],
] as const)('LIM-1: a %s window tells when all of it is there again', (window, after) => {
  const service = openTestService({}, { dialect: createDialect({ budget: { window } }) });
  const start = Math.ceil(service.wall.now / 60_000) * 60_000;
  service.wall.now = start;
  service.ask('/v1/account');
  service.wall.now = start + 45_000;
  expect(service.ask('/v1/rate-limits').body).toMatchObject({ used: 3, resets_at: start + after });
});

describe('LIM-2: 429', () => {
  const spend = (service: ReturnType<typeof openTestService>, weight: number): void => {
    for (let spent = 0; spent < weight; spent += 2) service.ask('/v1/account');
  };

  test('a spent budget refuses with bucket, wait and Retry-After, and the wait is exact', () => {
    const service = openTestService();
    service.ask('/v1/account');
    service.wall.now += 10_000;
    spend(service, 1_198);
    const refused = service.ask('/v1/account');
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect(refused.body.error.details).toEqual({
      bucket_exceeded: 'key_minute',
      retry_after_seconds: 50,
    });
    expect(refused.headers['retry-after']).toBe('50');
    service.wall.now += 49_999;
    expect(service.ask('/v1/account').status).toBe(429);
    service.wall.now += 1;
    expect(service.ask('/v1/account').status).toBe(200);
    expect(service.ask('/v1/account').status).toBe(429);
  });

  test('each key has its own budget', () => {
    const service = openTestService();
    service.addKey('vk_other', ['read']);
    spend(service, 1_200);
    expect(service.ask('/v1/account').status).toBe(429);
    expect(service.ask('/v1/account', { keyId: 'vk_other' }).status).toBe(200);
  });

  test('on the replay clock, the minute is replay time', () => {
    const service = openTestService({ budget_clock: 'replay' });
    spend(service, 1_200);
    service.wall.now += 3_600_000;
    expect(service.ask('/v1/account').status).toBe(429);
    service.core.engine.advanceTo(service.core.engine.now + 60_000);
    expect(service.ask('/v1/account').status).toBe(200);
  });

  test('limits: off lifts both budgets', () => {
    const service = openTestService({ limits: 'off' });
    spend(service, 3_000);
    expect(service.ask('/v1/orderbook/BTC').status).toBe(200);
    expect(service.ask('/v1/rate-limits').body).toMatchObject({ used: 0, venue: { used: 0 } });
  });
});

describe('MKT-5: reads are refused before the venue-weight budget is spent', () => {
  test('from 840 on, market reads are refused; cached candles, other reads and writes are not', () => {
    const service = openTestService();
    const candles = '/v1/candles/BTC?interval=1h&limit=1';
    expect(service.ask(candles).body.cached).toBe(false);
    for (let used = 2; used < 840; used += 2) {
      expect(service.ask('/v1/orderbook/BTC').status).toBe(200);
    }
    service.addKey('vk_fresh', ['read', 'trade']);
    const keyId = 'vk_fresh';
    for (const target of ['/v1/orderbook/BTC', '/v1/price/BTC', '/v1/markets']) {
      const refused = service.ask(target, { keyId });
      expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
      expect(refused.body.error.details.bucket_exceeded).toBe('read_headroom_gate');
      expect(refused.headers['retry-after']).toBe('60');
    }
    expect(service.ask('/v1/candles/BTC?interval=5m', { keyId }).status).toBe(429);
    const cached = service.ask(candles, { keyId });
    expect([cached.status, cached.body.cached, weightOf(cached)]).toEqual([200, true, 1]);
    expect(service.ask('/v1/account', { keyId }).status).toBe(200);
    expect(service.ask('/v1/instruments', { keyId }).status).toBe(200);
    expect(service.ask('/v1/order', { body: RESTING_ORDER, keyId }).status).toBe(201);
    expect(service.ask('/v1/rate-limits', { keyId }).body.venue).toEqual({
      budget: 1_200,
      used: 841,
      gate: 840,
    });
    service.wall.now += 60_000;
    expect(service.ask('/v1/orderbook/BTC', { keyId }).status).toBe(200);
  });

  test('writes at the venue weigh 1 each, whoever makes them; fills and reads of orders nothing', () => {
    const service = openTestService();
    const used = (): number => service.ask('/v1/rate-limits').body.venue.used;
    const { order_id: id } = service.ask('/v1/order', { body: RESTING_ORDER }).body;
    expect(used()).toBe(1);
    service.ask(`/v1/orders/${id}`, { method: 'PATCH', body: { price: 29_000 } });
    expect(used()).toBe(2);
    service.ask('/v1/orders');
    service.ask('/v1/orders', { method: 'DELETE' });
    expect(used()).toBe(3);
    const market = { symbol: 'BTC', side: 'buy', size: 0.001, order_type: 'market' };
    service.ask('/v1/order', { body: market });
    expect(used()).toBe(4);
    service.ask('/v1/execute', { body: LAUNCH, headers: { 'idempotency-key': 'a' } });
    const { engine } = service.core;
    engine.advanceTo(engine.now + 10 * 60_000);
    const { items } = service.ask('/v1/executions/exe_1/orders').body;
    expect(items.length).toBeGreaterThan(2);
    expect(used()).toBeGreaterThanOrEqual(4 + items.length);
  });

  test('an order of an algorithm that is refused before it is sent costs the venue nothing', () => {
    const service = openTestService({ balance: 1 });
    const used = (): number => service.ask('/v1/rate-limits').body.venue.used;
    const params = { duration_seconds: 60, slices: 1 };
    const launch = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 1, params };
    service.ask('/v1/execute', { body: launch, headers: { 'idempotency-key': 'a' } });
    const { items } = service.ask('/v1/executions/exe_1/orders').body;
    expect(items).toMatchObject([{ status: 'rejected', reject_reason: 'insufficient_margin' }]);
    expect(used()).toBe(0);
  });

  test('a cached read costs the venue nothing', () => {
    const service = openTestService();
    for (let read = 0; read < 10; read++) service.ask('/v1/candles/BTC?interval=1h');
    expect(service.ask('/v1/rate-limits').body.venue.used).toBe(2);
  });
});

test('the tape starts where the tests expect', () => {
  expect(openTestService().core.engine.startTime).toBe(TAPE_START + 500 * 60_000);
});
