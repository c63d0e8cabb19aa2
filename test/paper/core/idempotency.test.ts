import { describe, expect, test, vi } from 'vitest';
import {
  codeOf,
  LAUNCH,
  openTestService,
  RESTING_ORDER,
  type TestService,
} from './openTestService.ts';
import { openTestSession } from './openTestSession.ts';

const keyed = (key: string) => ({ 'idempotency-key': key });
const openOrders = (service: TestService): number =>
  (service.ask('/v1/orders').body as { items: unknown[] }).items.length;

describe('idempotency (conventions §1, AUTH-6)', () => {
  test('the same request with the same key has one effect and the same answer, at weight 1', () => {
    const service = openTestService();
    const asked = { body: RESTING_ORDER, headers: keyed('a') };
    const first = service.ask('/v1/order', asked);
    const again = service.ask('/v1/order', asked);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(openOrders(service)).toBe(1);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(again.headers).toMatchObject({
      'idempotency-replayed': 'true',
      'idempotency-key': 'a',
      'x-service-weight': '1',
    });
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  test('a key has at most 255 characters, by REST as by socket, and none on a read', () => {
    const service = openTestService();
    const session = openTestSession(service);
    const [long, longest] = ['k'.repeat(256), 'k'.repeat(255)];
    const byRest = service.ask('/v1/order', { body: RESTING_ORDER, headers: keyed(long) });
    const command = { id: 'c', op: 'command', command: 'place_order', args: RESTING_ORDER };
    const bySocket = session.send({ ...command, idempotency_key: long });
    expect([byRest.status, codeOf(byRest)]).toEqual([422, 'validation_failed']);
    expect(bySocket.error.code).toBe('validation_failed');
    const [field] = byRest.body.error.details.fields;
    const [named] = bySocket.error.details.fields;
    expect([field.path, field.code]).toEqual(['Idempotency-Key', named.code]);
    expect(openOrders(service)).toBe(0);
    expect(service.ask('/v1/orders', { headers: keyed(long) }).status).toBe(200);
    const placed = service.ask('/v1/order', { body: RESTING_ORDER, headers: keyed(longest) });
    expect(placed.status).toBe(201);
    expect(session.send({ ...command, idempotency_key: longest })).toMatchObject({
      ok: true,
      data: { order_id: placed.body.order_id },
    });
  });

  test('a key holds for what creates, changes and removes; what is put says all of it anyway', () => {
    const service = openTestService();
    const placed = service.ask('/v1/order', { body: RESTING_ORDER }).body;
    const target = `/v1/orders/${placed.order_id}`;
    const replays = (path: string, asked: object): string[] =>
      [1, 2].map(() => {
        const answer = service.ask(path, { ...asked, headers: keyed(`of ${path}`) });
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
        return answer.headers['idempotency-replayed'] ?? 'carried out';
      });
    const change = { method: 'PATCH', body: { price: RESTING_ORDER.price - 100 } };
    expect(replays(target, change)).toEqual(['carried out', 'true']);
    expect(replays('/v1/account/settings', { method: 'PATCH', body: {} })[1]).toBe('true');
    expect(replays('/v1/order', { body: RESTING_ORDER })).toEqual(['carried out', 'true']);
    const other = `/v1/orders?symbol=BTC`;
    expect(replays(other, { method: 'DELETE' })).toEqual(['carried out', 'true']);
    const leverage = { method: 'PUT', body: { leverage: 3, mode: 'cross' } };
    expect(replays('/v1/leverage/BTC', leverage)).toEqual(['carried out', 'carried out']);
  });

  test('AUTH-6: an empty header is no key', () => {
    const service = openTestService();
    const launched = service.ask('/v1/execute', { body: LAUNCH, headers: keyed('') });
    expect([launched.status, codeOf(launched)]).toEqual([400, 'idempotency_key_required']);
    for (const orders of [1, 2]) {
      const placed = service.ask('/v1/order', { body: RESTING_ORDER, headers: keyed('') });
      expect([placed.status, placed.body.idempotency_key]).toEqual([201, null]);
      expect(openOrders(service)).toBe(orders);
    }
  });

  test('the key is retained on the order record', () => {
    const service = openTestService();
    service.ask('/v1/order', { body: RESTING_ORDER, headers: keyed('kept') });
    expect(service.ask('/v1/orders').body.items[0].idempotency_key).toBe('kept');
  });

  test.each([
    ['another body', '/v1/order', { body: { ...RESTING_ORDER, size: 0.002 } }],
    ['other spaces', '/v1/order', { bodyText: JSON.stringify(RESTING_ORDER, null, 1) }],
    ['another path', '/v1/orders', { method: 'DELETE' }],
    ['another wallet', '/v1/order', { body: RESTING_ORDER, wallet: 'second' }],
  ])('%s with the same key is 409 idempotency_conflict', (_what, target, asked) => {
    const service = openTestService({ connections: [{ label: 'second' }] });
    service.ask('/v1/order', { body: RESTING_ORDER, headers: keyed('a') });
    const wallet = 'wallet' in asked ? { 'x-service-wallet': asked.wallet } : {};
    const answer = service.ask(target, { ...asked, headers: { ...keyed('a'), ...wallet } });
    expect([answer.status, codeOf(answer)]).toEqual([409, 'idempotency_conflict']);
    expect(openOrders(service)).toBe(1);
  });

  test('two API keys may use the same idempotency key', () => {
    const service = openTestService();
    service.addKey('vk_two', ['trade']);
    for (const keyId of ['vk_test', 'vk_two']) {
      service.ask('/v1/order', { body: RESTING_ORDER, headers: keyed('a'), keyId });
    }
    expect(openOrders(service)).toBe(2);
  });

  test('stored for 24 h of wall time, then free again', () => {
    const service = openTestService();
    const asked = { body: RESTING_ORDER, headers: keyed('a') };
    service.ask('/v1/order', asked);
    service.wall.now += 24 * 3_600_000 - 1;
    expect(service.ask('/v1/order', asked).headers['idempotency-replayed']).toBe('true');
    service.wall.now += 1;
    expect(service.ask('/v1/order', asked).headers).not.toHaveProperty('idempotency-replayed');
    expect(openOrders(service)).toBe(2);
  });

  describe('which responses are stored', () => {
    const order = { body: RESTING_ORDER, headers: keyed('k') };
    const good = (service: TestService) => service.ask('/v1/order', order);

    test.each([
      [404, '/v1/order', { body: { ...RESTING_ORDER, symbol: 'DOGE' } }],
      [422, '/v1/order', { body: { ...RESTING_ORDER, size: -1 } }],
      [404, '/v1/orders/ord_99', { method: 'DELETE' }],
    ])(
      '%i of %s is stored and replayed, with the first request id in its body',
      (status, target, asked) => {
        const service = openTestService();
        const all = { ...asked, headers: keyed('k') };
        const first = service.ask(target, all);
        const again = service.ask(target, all);
        expect([first.status, again.status]).toEqual([status, status]);
        expect(again.headers['idempotency-replayed']).toBe('true');
        expect(again.body.request_id).toBe(first.headers['x-request-id']);
        expect(codeOf(good(service))).toBe('idempotency_conflict');
      },
    );

    test('409 is stored', () => {
      const service = openTestService();
      const body = { ...RESTING_ORDER, client_order_id: 'c1' };
      service.ask('/v1/order', { body });
      const again = { body, headers: keyed('k') };
      expect(codeOf(service.ask('/v1/order', again))).toBe('duplicate_client_order_id');
      expect(service.ask('/v1/order', again).headers['idempotency-replayed']).toBe('true');
    });

    test('400, 401, 403, 413 and 415 are not stored', () => {
      const service = openTestService();
      service.addKey('vk_read', ['read']);
      const headers = keyed('k');
      const statuses = [
        service.ask('/v1/order', { bodyText: 'x', headers }),
        service.ask('/v1/order', { ...order, secret: 'vs_wrong' }),
        service.ask('/v1/order', { ...order, keyId: 'vk_read' }),
        service.ask('/v1/order', { ...order, tooLarge: true }),
        service.ask('/v1/order', { ...order, headers: { ...headers, 'content-type': 'a/b' } }),
      ].map(({ status }) => status);
      expect(statuses).toEqual([400, 401, 403, 413, 415]);
      expect(good(service).status).toBe(201);
    });

    test('429 is not stored, and a replay is never a 429', () => {
      const service = openTestService();
      service.ask('/v1/order', { body: RESTING_ORDER, headers: keyed('early') });
      for (let spent = 2; spent < 1_200; spent += 2) service.ask('/v1/account');
      expect(good(service).status).toBe(429);
      const replay = service.ask('/v1/order', { body: RESTING_ORDER, headers: keyed('early') });
      expect([replay.status, replay.headers['idempotency-replayed']]).toEqual([201, 'true']);
      service.wall.now += 61_000;
      expect(good(service).status).toBe(201);
    });

    test('500 is not stored', () => {
      const service = openTestService();
      const { market } = service.core.engine;
      const indicators = [{ id: 'a', indicator: 'sma' }];
      const asked = { body: { symbol: 'BTC', interval: '1m', indicators }, headers: keyed('k') };
      const broken = vi.spyOn(market, 'closedBars').mockImplementationOnce(() => {
        throw new Error('broken');
      });
      const statuses = [1, 2, 3].map(() => service.ask('/v1/indicators/evaluate', asked).status);
      expect(statuses).toEqual([500, 200, 200]);
      expect(broken).toHaveBeenCalledTimes(2);
    });
  });

  test('keys are ignored on reads', () => {
    const service = openTestService();
    service.ask('/v1/orders', { headers: keyed('a') });
    const answer = service.ask('/v1/order', { body: RESTING_ORDER, headers: keyed('a') });
    expect(answer.status).toBe(201);
  });

  describe('across REST and WebSocket', () => {
    test('a command with the key of a REST call gets its answer, whatever the order of fields', () => {
      const service = openTestService();
      const first = service.ask('/v1/execute', { body: LAUNCH, headers: keyed('x') });
      const session = openTestSession(service);
      const args = Object.fromEntries(Object.entries(LAUNCH).toReversed());
      const command = { id: '1', op: 'command', command: 'execute', args, idempotency_key: 'x' };
      const result = session.send(command);
      expect(result).toMatchObject({ ok: true, weight: 1, data: first.body });
      expect(service.ask('/v1/executions').body.items).toHaveLength(1);
    });

    test('a REST call with the key of a command gets its answer; another body is 409', () => {
      const service = openTestService();
      const session = openTestSession(service);
      const command = { id: '1', op: 'command', command: 'execute', args: LAUNCH };
      session.send({ ...command, idempotency_key: 'x' });
      const again = service.ask('/v1/execute', { body: LAUNCH, headers: keyed('x') });
      expect(again.headers['idempotency-replayed']).toBe('true');
      const other = { ...LAUNCH, side: 'sell' };
      const conflict = service.ask('/v1/execute', { body: other, headers: keyed('x') });
      expect(codeOf(conflict)).toBe('idempotency_conflict');
    });

    test('path parameters count: the same key on another order is a conflict', () => {
      const service = openTestService();
      const ids = [1, 2].map(() => service.ask('/v1/order', { body: RESTING_ORDER }).body.order_id);
      service.ask(`/v1/orders/${ids[0]}`, { method: 'DELETE', headers: keyed('c') });
      const session = openTestSession(service);
      const cancel = (id: unknown) =>
        session.send({
          id: '1',
          op: 'command',
          command: 'cancel_order',
          idempotency_key: 'c',
          args: { id },
        });
      expect(cancel(ids[0])).toMatchObject({ ok: true, data: { status: 'cancelled' } });
      expect(cancel(ids[1])).toMatchObject({ ok: false, error: { code: 'idempotency_conflict' } });
    });
  });
});
