import { describe, expect, test } from 'vitest';
import type { Log } from '../../../src/env/index.ts';
import { silentLog } from '../../../src/env/index.ts';
import { codeOf, LAUNCH, openTestService, RESTING_ORDER, type Asked } from './openTestService.ts';
import { openTestSession } from './openTestSession.ts';

describe('refusals follow the order of conventions §1', () => {
  test('a request with every fault is refused for the first; repaired step by step, for the next', () => {
    const service = openTestService();
    service.addKey('vk_read', ['read']);
    service.addKey('vk_trade', ['read', 'trade']);
    const ask = (target: string, asked: Asked): string => codeOf(service.ask(target, asked)) ?? '';

    const unwinding = {
      stop_loss: { price: 1, exit_style: 'algo_unwind', unwind_algo: 'smartexit' },
    };
    const text = 'not json';
    const conflict = { 'idempotency-key': 'used' };
    const first = { 'idempotency-key': 'used' };
    service.ask('/v1/order', { body: RESTING_ORDER, headers: first, keyId: 'vk_trade' });

    const base: Asked = {
      bodyText: text,
      tooLarge: true,
      keyId: 'vk_none',
      method: 'PUT',
      headers: { ...conflict, 'x-service-wallet': 'nobody', 'content-type': 'text/plain' },
    };
    const path = '/v1/positions/DOGE/tpsl';
    expect(ask('/v1/nothing', base)).toBe('not_found');
    expect(ask(path, base)).toBe('method_not_allowed');
    const posted = { ...base, method: 'POST' };
    expect(ask(path, posted)).toBe('payload_too_large');
    const small = { ...posted, tooLarge: false };
    expect(ask(path, small)).toBe('unknown_key');
    expect(ask(path, { ...small, keyId: 'vk_read' })).toBe('insufficient_scope');
    const scoped = { ...small, keyId: 'vk_trade' };
    expect(ask(path, scoped)).toBe('unknown_wallet');
    const headers = { ...conflict, 'content-type': 'text/plain' };
    expect(ask(path, { ...scoped, headers })).toBe('unsupported_media_type');
    const typed = { ...scoped, headers: conflict };
    expect(ask(path, typed)).toBe('invalid_json');
    const { bodyText: _text, ...json } = typed;
    expect(ask(path, { ...json, body: { nonsense: 1 } })).toBe('idempotency_conflict');
    for (let spent = 2; spent < 1_200; spent += 2)
      service.ask('/v1/account', { keyId: 'vk_trade' });
    const unkeyed = { ...json, headers: {} };
    expect(ask(path, { ...unkeyed, body: { nonsense: 1 } })).toBe('rate_limited');
    service.wall.now += 60_000;
    expect(ask(path, { ...unkeyed, body: { nonsense: 1 } })).toBe('validation_failed');
    expect(ask(path, { ...unkeyed, body: unwinding })).toBe('insufficient_scope');
    const native = { stop_loss: { price: 1 } };
    expect(ask(path, { ...unkeyed, body: native })).toBe('unknown_symbol');
  });

  test('AUTH-6: a launch without Idempotency-Key is 400, before its budget and shape', () => {
    const service = openTestService();
    const answer = service.ask('/v1/execute', { body: { nonsense: 1 } });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'idempotency_key_required']);
    expect(answer.headers['x-service-weight']).toBe('0');
  });

  test('a monitor twice in a group is a fault of shape, before the monitors are looked for', () => {
    const body = { mode: 'oco', monitor_ids: ['mon_8', 'mon_9', 'mon_9'] };
    const answer = openTestService().ask('/v1/monitors/groups', { body });
    expect(answer.body.error).toMatchObject({
      code: 'validation_failed',
      details: { fields: [{ path: 'monitor_ids.2', code: 'duplicate' }] },
    });
  });

  test('a request that reached the budget is charged, refused or not', () => {
    const service = openTestService();
    const refused = service.ask('/v1/order', { body: {} });
    expect([refused.status, refused.headers['x-service-weight-remaining']]).toEqual([422, '1198']);
    const earlier = service.ask('/v1/order', { bodyText: 'x' });
    expect([earlier.status, earlier.headers['x-service-weight-remaining']]).toEqual([400, '1198']);
  });
});

describe('AUTH-4: scopes', () => {
  test.each([
    ['/v1/order', 'trade', { body: RESTING_ORDER }],
    ['/v1/execute', 'algo', { body: LAUNCH, headers: { 'idempotency-key': 'a' } }],
    ['/v1/monitors/stop-all', 'algo', { method: 'POST' }],
  ] as const)('%s needs %s, named in the details', (target, scope, asked) => {
    const service = openTestService();
    service.addKey('vk_read', ['read']);
    const answer = service.ask(target, { ...asked, keyId: 'vk_read' });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'insufficient_scope']);
    expect(answer.body.error.details).toEqual({ required_scope: scope });
  });

  test.each([
    ['/v1/positions/BTC/close', { algo: 'pacemaker', params: { duration_seconds: 60 } }, 'algo'],
    ['/v1/webhooks', { name: 'a', action: { type: 'order', request: {} }, dry_run: true }, 'trade'],
  ] as const)('%s also needs the scopes of its body', (target, body, scope) => {
    const service = openTestService();
    service.addKey('vk_some', scope === 'algo' ? ['trade'] : ['algo']);
    const answer = service.ask(target, { body, keyId: 'vk_some' });
    expect(answer.body.error.details).toEqual({ required_scope: scope });
  });
});

describe('AUTH-7, ERR-1: every response has an id, every refusal an envelope', () => {
  test('header and envelope carry the same request id, and it is new each time', () => {
    const service = openTestService();
    const ids = ['/v1/status', '/v1/nothing', '/v1/price/DOGE'].map((target) => {
      const answer = service.ask(target);
      const id = answer.headers['x-request-id'];
      if (answer.status >= 400) {
        expect(answer.body.request_id).toBe(id);
        expect(answer.body.error).toMatchObject({ code: expect.any(String), details: {} });
      }
      return id;
    });
    expect(new Set(ids).size).toBe(3);
  });

  test('the resolved wallet is in a header; an unknown one is 404', () => {
    const service = openTestService({ connections: [{ label: 'Second wallet', balance: 5 }] });
    const headers = { 'x-service-wallet': 'second-wallet' };
    const answer = service.ask('/v1/account', { headers });
    expect(answer.headers['x-service-wallet-resolved']).toBe('second-wallet');
    expect(answer.body).toMatchObject({ wallet: 'second-wallet', equity: 5 });
    expect(service.ask('/v1/account').headers['x-service-wallet-resolved']).toBe('main');
    const unknown = service.ask('/v1/account', { headers: { 'x-service-wallet': 'nobody' } });
    expect([unknown.status, codeOf(unknown)]).toEqual([404, 'unknown_wallet']);
  });

  test('405 names the methods that exist', () => {
    const answer = openTestService().ask('/v1/orders/ord_1', { method: 'PUT' });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, PATCH, DELETE']);
  });

  test('an exception inside the service is 500 internal, logged, without details', () => {
    const lines: unknown[] = [];
    const log: Log = { ...silentLog, error: (message, fields) => lines.push({ message, fields }) };
    const service = openTestService({}, { log });
    const { market } = service.core.engine;
    market.quote = () => {
      throw new TypeError('secret thought');
    };
    const answer = service.ask('/v1/price/BTC');
    expect([answer.status, codeOf(answer)]).toEqual([500, 'internal']);
    expect(JSON.stringify(answer)).not.toContain('secret thought');
    expect(JSON.stringify(lines)).toContain('secret thought');
  });
});

describe('VER-1: nothing but /v1 exists', () => {
  test.each([
    '/api/',
    '/api/health',
    '/api/status',
    '/api/v1/order',
    '/',
    '/v1',
    '/v1/',
    '/v2/status',
    '/v1/status/',
    '/V1/status',
  ])('%s is 404', (target) => {
    expect(openTestService().ask(target).status).toBe(404);
  });
});

describe('RULE-2: shape', () => {
  test('each faulty field is named by a dotted path', () => {
    const body = { ...RESTING_ORDER, size: -1, surprise: 1, stop_loss: { offset: { mult: 'x' } } };
    const answer = openTestService().ask('/v1/order', { body });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'validation_failed']);
    const paths = answer.body.error.details.fields.map((field: { path: string }) => field.path);
    expect(paths).toContain('size');
    expect(paths).toContain('surprise');
    expect(paths.some((path: string) => path.startsWith('stop_loss'))).toBe(true);
  });

  test('a body on an endpoint without one is refused, an empty object is not', () => {
    const service = openTestService();
    const headers = { 'idempotency-key': 'a' };
    const { execution_id: id } = service.ask('/v1/execute', { body: LAUNCH, headers }).body;
    const stop = (body: unknown) => service.ask(`/v1/executions/${id}/stop`, { body });
    expect(stop({ all: true }).body.error.details.fields).toMatchObject([{ path: 'all' }]);
    expect(stop([]).status).toBe(422);
    expect(stop({}).body).toMatchObject({ status: 'stopped', reason: 'user_stop' });
  });

  test.each(['null', '[]', '"x"', '0', 'false'])(
    'POS-1: a body that is no object closes nothing, only an absent one stands for {}: %s',
    (bodyText) => {
      const service = openTestService({ balance: 100_000 });
      const buy = { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' };
      service.ask('/v1/order', { body: buy });
      service.core.advanceTo(service.core.engine.now + 120_000);
      const close = (asked: Asked) =>
        service.ask('/v1/positions/BTC/close', { method: 'POST', ...asked });
      const answer = close({ bodyText });
      expect([answer.status, codeOf(answer)]).toEqual([422, 'validation_failed']);
      expect(service.ask('/v1/account/settings', { method: 'PATCH', bodyText }).status).toBe(422);
      const session = openTestSession(service);
      const args = `{"id":"c","op":"command","command":"set_leverage","args":${bodyText}}`;
      expect(session.send(args)).toMatchObject({ error: { code: 'validation_failed' } });
      service.core.advanceTo(service.core.engine.now + 120_000);
      expect(service.ask('/v1/positions/BTC').body.size).toBe(0.1);
      expect(close({}).status).toBe(201);
    },
  );

  test.each([
    ['/v1/orders?limit=0', 'limit'],
    ['/v1/orders?limit=501', 'limit'],
    ['/v1/orders?limit=ten', 'limit'],
    ['/v1/orders?limit=1&limit=2', 'limit'],
    ['/v1/orders?surprise=1', 'surprise'],
    ['/v1/candles/BTC', 'interval'],
    ['/v1/candles/BTC?interval=7m', 'interval'],
  ])('%s is 422 on %s', (target, path) => {
    const answer = openTestService().ask(target);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.fields[0].path).toBe(path);
  });

  test('deeply nested brackets are 400, not a crash', () => {
    for (const bodyText of ['['.repeat(100_000), `{"a":${'['.repeat(500)}1${']'.repeat(500)}}`]) {
      const answer = openTestService().ask('/v1/order', { bodyText });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_json']);
    }
  });
});
