import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  checkShape,
  ENDPOINTS,
  errorEnvelope,
  fillPath,
  type EndpointSpec,
} from '../../../src/contract/index.ts';
import { silentLog, type Log } from '../../../src/env/index.ts';
import { LAUNCH, openTestService, RESTING_ORDER } from './openTestService.ts';
import { openTestSession } from './openTestSession.ts';

const specs = Object.entries<EndpointSpec>(ENDPOINTS).filter(([id]) => !id.startsWith('streams.'));

/** Near-valid values: right names with unusual contents. */
const field = fc.constantFrom(
  'symbol',
  'side',
  'size',
  'order_type',
  'price',
  'price_from',
  'stop_loss',
  'take_profit',
  'algo',
  'params',
  'total_size',
  'reduce_only',
  'legs',
  'trigger',
  'action',
  'ids',
  'name',
  'interval',
  'indicators',
  'leverage',
  'mode',
  'at',
  'trail',
  'offset',
  'request',
  'type',
);
const leaf = fc.oneof(
  fc.constantFrom('BTC', 'buy', 'limit', 'pacemaker', '1m', 'sma', 'atr', '__proto__', '', 'x'),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { body } = fc.letrec<{ body: unknown; node: unknown }>((tie) => ({
  node: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('node'), { maxLength: 3 }), tie('body')),
  body: fc.dictionary(field, tie('node'), { maxKeys: 6 }),
}));

test('no body crashes the service: never a 500, always an envelope', () => {
  const errors: unknown[] = [];
  const log: Log = { ...silentLog, error: (message, fields) => errors.push([message, fields]) };
  const service = openTestService({ limits: 'off' }, { log });
  const seed = fc.constantFrom<unknown>(RESTING_ORDER, LAUNCH, {});
  fc.assert(
    fc.property(fc.constantFrom(...specs), seed, body, fc.string(), (row, base, extra, name) => {
      const [, spec] = row;
      const names = [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
      const params = Object.fromEntries(
        names.map((param) => [param, /^\.{0,2}$/.test(name) ? 'BTC' : name]),
      );
      const target = `/v1${fillPath(spec.path, params)}`;
      const answer = service.ask(target, {
        method: spec.method,
        headers: { 'idempotency-key': name || 'k' },
        ...(spec.method === 'GET' ? {} : { body: { ...(base as object), ...(extra as object) } }),
      });
      expect([target, answer.status]).not.toEqual([target, 500]);
      if (answer.status >= 400) expect(checkShape(errorEnvelope, answer.body).ok).toBe(true);
    }),
    { numRuns: 2_000, seed: 7 },
  );
  expect(errors).toEqual([]);
});

test('no message crashes a session', () => {
  const errors: unknown[] = [];
  const log: Log = { ...silentLog, error: (message, fields) => errors.push([message, fields]) };
  const session = openTestSession(openTestService({ limits: 'off' }, { log }));
  const message = fc.record(
    {
      id: fc.constantFrom<unknown>('a', 7, null),
      op: fc.constantFrom('subscribe', 'unsubscribe', 'command', 'x'),
      channel: fc.constantFrom('price', 'candles', 'account.state', '_meta', 'toString'),
      params: body,
      command: fc.constantFrom('place_order', 'cancel_order', 'get_fills', 'constructor'),
      args: body,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(message, body, fc.string()), (given) => {
      expect(session.send(given)).toMatchObject({
        type: expect.stringMatching(/ack|error|result/),
      });
    }),
    { numRuns: 1_000, seed: 7 },
  );
  expect(errors).toEqual([]);
});

test('every response of a read has its published shape', () => {
  const service = openTestService({ limits: 'off' });
  const key = { 'idempotency-key': 'x' };
  service.ask('/v1/order', { body: RESTING_ORDER });
  service.ask('/v1/order', {
    body: { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'market' },
  });
  service.ask('/v1/execute', { body: LAUNCH, headers: key });
  service.core.engine.advanceTo(service.core.engine.now + 30 * 60_000);
  const ids: Record<string, string> = { symbol: 'BTC', id: 'ord_1' };
  const { handlers } = service.core.engine;
  const isServed = (id: string): boolean =>
    Object.hasOwn(handlers, id) || /^(utility|connections|market)\./.test(id);
  const isRecordOf = /^(monitors|baskets)\.get$|^webhooks\.deliveries$/;
  const reads = specs.filter(
    ([id, { method }]) => method === 'GET' && isServed(id) && !isRecordOf.test(id),
  );
  expect(reads.length).toBeGreaterThan(25);
  for (const [id, spec] of reads) {
    const own = id.startsWith('executions.') ? { id: 'exe_1' } : {};
    const query = id === 'market.candles' ? '?interval=1m' : '';
    const answer = service.ask(`/v1${fillPath(spec.path, { ...ids, ...own })}${query}`);
    expect([id, answer.status]).toEqual([id, 200]);
    expect([id, checkShape(spec.response, answer.body)]).toMatchObject([id, { ok: true }]);
  }
});
