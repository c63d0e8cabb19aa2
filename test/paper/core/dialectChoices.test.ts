import { describe, expect, test } from 'vitest';
import { createDialect } from '../../../src/contract/index.ts';
import { createOpenApi } from '../../../src/paper/server/describe/createOpenApi.ts';
import {
  codeOf,
  LAUNCH,
  openTestService,
  RESTING_ORDER,
  testFeed,
  type TestService,
} from './openTestService.ts';
import { openTestSession } from './openTestSession.ts';

/** DIAL-1: the service applies the dialect's values where the spec leaves them open. */

const keyed = (key: string) => ({ 'idempotency-key': key });
let keys = 0;
const launch = (service: TestService, body: object = LAUNCH) =>
  service.ask('/v1/execute', { body, headers: keyed(`launch-${keys++}`) });

test('headers: every name is the dialect’s, on answers and refusals', () => {
  const headers = Object.fromEntries(
    Object.keys(createDialect({}).headers).map((use) => [use, `X-Own-${use}`]),
  );
  const service = openTestService({}, { dialect: createDialect({ headers }) });
  const ask = (more: Record<string, string> = {}) =>
    service.ask('/v1/execute', { body: {}, headers: { ...keyed('own'), ...more } });
  ask();
  const replayed = ask({ 'x-own-wallet': 'main' });
  expect(ask({ 'x-own-wallet': 'nobody' }).status).toBe(404);
  let refused = replayed;
  for (let tries = 0; refused.status !== 429; tries++) refused = ask({ ...keyed(`own-${tries}`) });
  const seen = new Set([...Object.keys(replayed.headers), ...Object.keys(refused.headers)]);
  const own = Object.keys(headers).filter((use) => use !== 'wallet');
  expect([...seen].toSorted()).toEqual(
    [
      'content-type',
      'date',
      'idempotency-key',
      ...own.map((use) => `x-own-${use.toLowerCase()}`),
    ].toSorted(),
  );
});

describe('limits.pacemakerMinSeconds', () => {
  const pacemaker = (seconds: number) => ({ ...LAUNCH, params: { duration_seconds: seconds } });
  const unwinding = (seconds: number) => ({
    price: 1_000,
    exit_style: 'algo_unwind',
    unwind_algo: 'pacemaker',
    unwind_params: { duration_seconds: seconds },
  });
  const trigger = { type: 'price_level', symbol: 'BTC', price: 1_000, direction: 'below' };
  const asks: ReadonlyArray<readonly [string, string, (seconds: number) => object]> = [
    ['/v1/execute', 'params', pacemaker],
    ['/v1/baskets', 'legs.0.params', (seconds) => ({ legs: [pacemaker(seconds)] })],
    [
      '/v1/baskets/templates',
      'legs.0.params',
      (seconds) => ({ name: 'two', legs: [pacemaker(seconds)] }),
    ],
    [
      '/v1/monitors',
      'action.request.params',
      (seconds) => ({ trigger, action: { type: 'execute', request: pacemaker(seconds) } }),
    ],
    [
      '/v1/positions/BTC/tpsl',
      'stop_loss.unwind_params',
      (seconds) => ({ stop_loss: unwinding(seconds) }),
    ],
    [
      '/v1/positions/BTC/close',
      'params',
      (seconds) => ({ algo: 'pacemaker', params: { duration_seconds: seconds } }),
    ],
  ];

  test.each(asks)('%s: %s.duration_seconds', (target, place, body) => {
    for (const least of [30, 60, 300]) {
      const dialect = createDialect({ limits: { pacemakerMinSeconds: least } });
      const service = openTestService({ balance: 100_000 }, { dialect });
      service.ask('/v1/order', {
        body: { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' },
      });
      service.core.advanceTo(service.core.engine.now + 120_000);
      const ask = (seconds: number) =>
        service.ask(target, { body: body(seconds), headers: keyed(`${seconds}`) });
      const path = `${place}.duration_seconds`;
      const message = `Too small: expected number to be >=${least}`;
      for (const short of [least - 1, 0]) {
        expect(ask(short)).toMatchObject({
          status: 422,
          body: {
            error: {
              code: 'validation_failed',
              message: `${path}: ${message}`,
              details: { fields: [{ path, code: 'too_small', message }] },
            },
          },
        });
      }
      expect(ask(least).status).toBe(201);
    }
  });

  test('holds for an alert’s action too, which is refused before any alert', () => {
    for (const [least, status] of [
      [30, 201],
      [60, 422],
    ] as const) {
      const dialect = createDialect({ limits: { pacemakerMinSeconds: least } });
      const service = openTestService({}, { dialect });
      const action = { type: 'execute', request: pacemaker(30) };
      const hook = service.ask('/v1/webhooks', { body: { name: 'alert', action } });
      expect(hook.status).toBe(status);
      if (status === 422) {
        const path = 'action.request.params.duration_seconds';
        expect(hook.body.error.details.fields).toMatchObject([{ path, code: 'too_small' }]);
        continue;
      }
      const delivered = service.ask(`/v1/hooks/${hook.body.token}`, { body: {} });
      expect(delivered.body).toMatchObject({ outcome: 'accepted' });
    }
  });

  test('is published, by /algos and the OpenAPI document', () => {
    const dialect = createDialect({ limits: { pacemakerMinSeconds: 300 } });
    const { items } = openTestService({}, { dialect }).ask('/v1/algos').body;
    const { params } = items.find(({ id }: { id: string }) => id === 'pacemaker');
    expect(params.properties.duration_seconds).toMatchObject({ minimum: 300, maximum: 86_400 });
    const document = createOpenApi(dialect, 'http://localhost') as unknown as {
      components: { schemas: Record<string, { properties: Record<string, object> }> };
    };
    const { UnwindParamsSpec } = document.components.schemas;
    expect(UnwindParamsSpec?.properties['duration_seconds']).toMatchObject({ minimum: 300 });
  });
});

describe('DIAL-1: executions.transitions', () => {
  const dialect = createDialect({
    executions: {
      transitions: {
        running: ['stop', 'mark-complete'],
        paused: ['complete-at-market', 'stop'],
        interrupted: ['pause', 'complete-at-market'],
      },
    },
  });

  test('a status takes the controls that are listed, and no other', () => {
    const service = openTestService({ balance: 100_000 }, { dialect });
    const { execution_id: id } = launch(service).body;
    const control = (action: string) => service.ask(`/v1/executions/${id}/${action}`, { body: {} });
    expect(control('pause').body.error).toMatchObject({
      code: 'invalid_transition',
      details: { from: 'running', action: 'pause', allowed: ['stop', 'mark-complete'] },
    });
    service.core.engine.interruptExecutions();
    expect(codeOf(control('resume'))).toBe('invalid_transition');
    expect(control('pause').body.status).toBe('paused');
    expect(control('resume').body.error.details.allowed).toEqual(['complete-at-market', 'stop']);
    const { filled_size: filled, total_size: total } = control('complete-at-market').body;
    expect(filled).toBe(total);
    expect(control('stop').body.error.details).toMatchObject({ from: 'completed', allowed: [] });
    const other = launch(service).body.execution_id;
    expect(service.ask(`/v1/executions/${other}/mark-complete`, { body: {} }).body).toMatchObject({
      status: 'completed',
      reason: 'mark_complete',
    });
  });

  test('a basket reaches the legs whose status takes the control', () => {
    const service = openTestService({ balance: 100_000 }, { dialect });
    const basket = service.ask('/v1/baskets', { body: { legs: [LAUNCH] } });
    const pause = service.ask(`/v1/baskets/${basket.body.basket_id}/pause`, { body: {} });
    expect(codeOf(pause)).toBe('invalid_transition');
  });
});

describe('signing.idempotencyConflict: replay', () => {
  const dialect = createDialect({ signing: { idempotencyConflict: 'replay' } });

  test.each([
    ['another body', '/v1/order', { body: { ...RESTING_ORDER, size: 0.002 } }],
    ['another path', '/v1/orders', { method: 'DELETE' }],
  ])('%s with the same key gets the first answer, without an effect', (_what, target, asked) => {
    const service = openTestService({}, { dialect });
    const first = service.ask('/v1/order', { body: RESTING_ORDER, headers: keyed('a') });
    const other = service.ask(target, { ...asked, headers: keyed('a') });
    expect([other.status, other.body]).toEqual([201, first.body]);
    expect(other.headers['idempotency-replayed']).toBe('true');
    expect(service.ask('/v1/orders').body.items).toHaveLength(1);
  });

  test('by WebSocket, too', () => {
    const service = openTestService({}, { dialect });
    const first = service.ask('/v1/order', { body: RESTING_ORDER, headers: keyed('a') });
    const session = openTestSession(service);
    const args = { ...RESTING_ORDER, size: 0.002 };
    const command = { id: '1', op: 'command', command: 'place_order', idempotency_key: 'a', args };
    expect(session.send(command)).toMatchObject({ ok: true, data: first.body });
  });
});

test.each([50, 1_000])('limits.pageMax: %i', (pageMax) => {
  const service = openTestService({}, { dialect: createDialect({ limits: { pageMax } }) });
  for (const list of ['orders', 'instruments', 'connections']) {
    expect(service.ask(`/v1/${list}?limit=${pageMax}`).status).toBe(200);
    const refused = service.ask(`/v1/${list}?limit=${pageMax + 1}`);
    expect([refused.status, refused.body.error.details.fields[0].path]).toEqual([422, 'limit']);
  }
});

describe('limits.pageDefault and limits.pageMax', () => {
  const limits = { pageDefault: 2, pageMax: 3 };
  const open = () => {
    const feeds = ['AAA', 'BTC', 'CCC', 'DDD', 'EEE'].map((symbol) => testFeed(symbol));
    const service = openTestService(
      { limits: 'off' },
      { feeds, dialect: createDialect({ limits }) },
    );
    for (const label of ['b', 'c', 'd', 'e']) service.core.addConnection(label, 1_000);
    for (const symbol of ['AAA', 'BTC', 'CCC', 'DDD']) {
      service.ask('/v1/order', { body: { ...RESTING_ORDER, symbol } });
      launch(service, { ...LAUNCH, symbol });
      service.ask('/v1/order', { body: { symbol, side: 'buy', size: 0.01, order_type: 'market' } });
    }
    return service;
  };

  test.each([
    '/v1/instruments',
    '/v1/markets',
    '/v1/indicators',
    '/v1/weights',
    '/v1/connections',
    '/v1/orders',
    '/v1/orders/history',
    '/v1/fills',
    '/v1/positions',
    '/v1/algos',
    '/v1/executions',
    '/v1/account/pnl',
  ])('%s has as many rows a page as they say', (path) => {
    const { ask } = open();
    const first = ask(path).body;
    expect(first.items).toHaveLength(2);
    expect(first.next_cursor).not.toBeNull();
    expect(ask(`${path}?limit=3`).body.items).toHaveLength(3);
    expect(codeOf(ask(`${path}?limit=4`))).toBe('validation_failed');
    expect(ask(`${path}?cursor=${first.next_cursor}`).body.items[0]).not.toEqual(first.items[0]);
  });
});
