import { describe, expect, test } from 'vitest';
import type { ServiceRequest } from '../../../src/contract/index.ts';
import {
  codeOf,
  LAUNCH,
  openTestService,
  RESTING_ORDER,
  type TestService,
} from './openTestService.ts';

/** Calls as a link in the same process does. */
function open(service: TestService, keyId = 'vk_test') {
  const key = service.core.keyring.find(keyId);
  if (key === undefined) throw new Error('No such key.');
  return (request: Partial<ServiceRequest> & Pick<ServiceRequest, 'endpoint'>) =>
    service.core.call(key, { pathParams: {}, query: {}, body: '', ...request }, service.wall.now);
}

const place = { endpoint: 'orders.place', body: JSON.stringify(RESTING_ORDER) } as const;

describe('the door for callers in the same process', () => {
  test('answers as HTTP does, record for record', () => {
    const direct = open(openTestService())(place);
    const { status, body } = openTestService().ask('/v1/order', { body: RESTING_ORDER });
    expect([direct.status, direct.body]).toEqual([status, body]);
    expect(direct).toMatchObject({ wallet: 'main', weight: 2, replayed: false });
  });

  test('typed queries are accepted as they are', () => {
    const request = { endpoint: 'market.candles', pathParams: { symbol: 'BTC' } } as const;
    const outcome = open(openTestService())({ ...request, query: { interval: '1m', limit: 3 } });
    expect((outcome.body as { candles: unknown[] }).candles).toHaveLength(3);
  });

  test('scopes, wallets, shapes and budgets hold', () => {
    const service = openTestService();
    service.addKey('vk_read', ['read']);
    const call = open(service);
    const code = (outcome: { body: unknown; status: number }) =>
      codeOf({ status: outcome.status, headers: {}, body: outcome.body });
    expect(code(open(service, 'vk_read')(place))).toBe('insufficient_scope');
    expect(code(call({ ...place, wallet: 'nobody' }))).toBe('unknown_wallet');
    expect(code(call({ ...place, body: '{' }))).toBe('invalid_json');
    expect(code(call({ ...place, body: '{}' }))).toBe('validation_failed');
    const launch = { endpoint: 'executions.launch', body: JSON.stringify(LAUNCH) } as const;
    expect(code(call(launch))).toBe('idempotency_key_required');
    for (let spent = 2; spent < 1_200; spent += 2) call({ endpoint: 'account.get' });
    expect(code(call(place))).toBe('rate_limited');
  });

  test('a shape that was checked counts for fields alone, never for text', () => {
    const call = open(openTestService());
    const content = { ...RESTING_ORDER, no_field: 1 };
    const body = JSON.stringify(content);
    expect(call({ ...place, body, isShaped: true }).status).toBe(422);
    expect(call({ ...place, body, content }).status).toBe(422);
  });

  test('idempotency keys are shared with HTTP', () => {
    const service = openTestService();
    const first = open(service)({ ...place, idempotencyKey: 'a' });
    const headers = { 'idempotency-key': 'a' };
    const again = service.ask('/v1/order', { body: RESTING_ORDER, headers });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    const replay = open(service)({ ...place, idempotencyKey: 'a' });
    expect([replay.replayed, replay.bodyText]).toEqual([true, JSON.stringify(first.body)]);
  });
});
