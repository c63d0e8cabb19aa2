import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkShape, COMMANDS, endpointSpec, fillPath } from '../../src/contract/index.ts';
import {
  cancelOrder,
  checkIntent,
  controlExecution,
  createMonitor,
  INTENT_KINDS,
  launch,
  placeOrder,
  pauseMonitor,
  stopMonitor,
  toBodyText,
  toServiceRequest,
  type Intent,
  type RefResolver,
} from '../../src/intents/index.ts';
import { SAMPLES } from './samples.ts';

const KEY = '0d1f2a3b-0000-5000-8000-000000000001';
const known: RefResolver = (kind, ref) => (ref === 'entry' ? `${kind}_7` : undefined);

function requestOf(intent: Intent, resolve: RefResolver = known) {
  const result = toServiceRequest(intent, { wallet: 'main', idempotencyKey: KEY, resolve });
  if (!result.ok) throw new Error(result.reason);
  return result.request;
}

describe.each(SAMPLES.map((intent) => [intent.kind, intent] as const))('%s', (_kind, intent) => {
  test('passes its own rules', () => {
    expect(checkIntent(intent)).toEqual({ ok: true, value: intent });
  });

  test('becomes a request whose path, query and body the endpoint takes', () => {
    const request = requestOf(intent);
    const { path, body, query } = endpointSpec(request.endpoint);
    expect(fillPath(path, request.pathParams)).not.toContain('{');
    expect(query.safeParse(request.query).success).toBe(true);
    expect(request.body === '').toBe(body === null);
    if (body !== null) expect(checkShape(body, JSON.parse(request.body)).ok).toBe(true);
  });

  test('goes to the wallet and by the transport that are asked for', () => {
    for (const wallet of [undefined, 'main', 'side'])
      for (const via of [undefined, 'rest', 'socket'] as const) {
        const context = { idempotencyKey: KEY, resolve: known, ...(wallet && { wallet }) };
        const result = toServiceRequest({ ...intent, ...(via && { via }) }, context);
        if (!result.ok) throw new Error(result.reason);
        const { request } = result;
        expect([request.wallet, request.via]).toEqual([wallet, via]);
        expect([request.idempotencyKey, request.body]).toEqual([KEY, requestOf(intent).body]);
      }
  });

  test('gives the same bytes twice (a retry repeats the first attempt)', () => {
    expect(requestOf(structuredClone(intent))).toEqual(requestOf(intent));
  });
});

test('fields equal the text, and neither changes with the intent later', () => {
  const flat = SAMPLES.map((intent) => requestOf(intent)).filter(({ content }) => content);
  expect(flat.length).toBeGreaterThan(2);
  for (const { content, body } of flat) expect(content).toEqual(JSON.parse(body));
  const change = { price: 60_100 };
  const request = requestOf({ kind: 'modify_order', order: { order_id: 'ord_1' }, change });
  change.price = 1;
  expect([request.body, request.content]).toEqual(['{"price":60100}', { price: 60_100 }]);
});

test('every kind has a sample', () => {
  expect(new Set(SAMPLES.map((intent) => intent.kind))).toEqual(new Set(INTENT_KINDS));
});

test('AUTH-2: the body is the request as written, with the idempotency key as client id', () => {
  const intent = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.1, price: 60_000 });
  expect(requestOf(intent).body).toBe(
    `{"order_type":"limit","symbol":"BTC","side":"buy","size":0.1,"price":60000,"client_order_id":"${KEY}"}`,
  );
  const launched = launch.flowscale({
    symbol: 'BTC',
    side: 'buy',
    total_size: 1,
    params: { participation: 0.1 },
  });
  expect(JSON.parse(requestOf(launched).body)).toMatchObject({ client_execution_id: KEY });
});

test('EXE-7: each control of an execution has its endpoint', () => {
  const { stop, pause, resume, completeAtMarket, markComplete } = controlExecution;
  const controls = [stop, pause, resume, completeAtMarket, markComplete];
  const sent = controls.map((control) => requestOf(control({ execution_id: 'exe_1' })));
  expect(sent.map(({ endpoint }) => endpoint)).toEqual([
    'executions.stop',
    'executions.pause',
    'executions.resume',
    'executions.completeAtMarket',
    'executions.markComplete',
  ]);
  expect(sent.map(({ pathParams }) => pathParams)).toEqual(sent.map(() => ({ id: 'exe_1' })));
});

test("RULE-1, ORD-3: the strategy's own client id stays", () => {
  const own = { symbol: 'BTC', side: 'buy', size: 0.1, client_order_id: 'mine' } as const;
  const body = requestOf(placeOrder.market(own)).body;
  expect(JSON.parse(body)).toMatchObject({ client_order_id: 'mine' });
});

test('meta never reaches the service', () => {
  const meta = { ref: 'a', decision: 'b', not_after: 1, note: 'c', tag: 'd', via: 'rest' } as const;
  const request = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.1 }, meta);
  expect(Object.keys(JSON.parse(requestOf(request).body) as object)).toEqual([
    'order_type',
    'symbol',
    'side',
    'size',
    'client_order_id',
  ]);
});

describe('targets', () => {
  test('a client id names an order before the service has given it one', () => {
    expect(requestOf(cancelOrder({ client_order_id: 'mine' })).pathParams).toEqual({
      id: 'client:mine',
    });
  });

  test('a ref is resolved by the kind of thing that it names', () => {
    expect(requestOf(cancelOrder({ ref: 'entry' })).pathParams).toEqual({ id: 'order_7' });
    expect(requestOf(stopMonitor({ ref: 'entry' })).pathParams).toEqual({ id: 'monitor_7' });
    const pause = requestOf(pauseMonitor({ ref: 'entry' }));
    expect(pause).toMatchObject({ endpoint: 'monitors.pause', pathParams: { id: 'monitor_7' } });
    const stop = requestOf(controlExecution.stop({ ref: 'entry' }));
    expect(stop).toMatchObject({ endpoint: 'executions.stop', pathParams: { id: 'execution_7' } });
  });

  test('an unknown ref is a value with its reason, not an exception', () => {
    const intent = cancelOrder({ ref: 'nobody' });
    expect(toServiceRequest(intent, { idempotencyKey: KEY, resolve: known })).toEqual({
      ok: false,
      reason: 'No order of this instance is known by the ref "nobody".',
    });
  });

  test('ORD-5: a spot symbol stays inside its path segment', () => {
    const { endpoint, pathParams } = requestOf({ kind: 'retire_tpsl', symbol: 'PURR/USDC' });
    expect(fillPath(endpointSpec(endpoint).path, pathParams)).toBe('/positions/PURR%2FUSDC/tpsl');
  });
});

describe('toBodyText', () => {
  test('writes no exponent, and numbers round-trip', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = toBodyText({ value });
        expect(text).not.toMatch(/\d[eE]/);
        expect((JSON.parse(text) as { value: number }).value).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  test('agrees with JSON on everything else, and leaves out what is undefined', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(toBodyText(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(toBodyText({ a: undefined, b: [1e-7, 1e21] })).toBe(
      '{"b":[0.0000001,1000000000000000000000]}',
    );
  });

  test('throws on values that a request must not contain', () => {
    expect(() => toBodyText({ size: Number.NaN })).toThrow('NaN');
    expect(() => toBodyText({ size: () => 1 })).toThrow('function');
  });
});

test('STR-6: `via: socket` is accepted exactly if the stream has a command', () => {
  const endpoints: readonly string[] = Object.values(COMMANDS);
  for (const intent of SAMPLES) {
    const result = checkIntent({ ...intent, via: 'socket' });
    expect([intent.kind, result.ok]).toEqual([
      intent.kind,
      endpoints.includes(requestOf(intent).endpoint),
    ]);
  }
});

describe('the mark of a shape that was checked', () => {
  const check = (intent: Intent): Intent => {
    const checked = checkIntent(intent);
    if (!checked.ok) throw new Error(checked.fault.message);
    return checked.value;
  };
  const market = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.1 });

  test('is on the order that was checked last, and on no other', () => {
    const order = check(market);
    expect(requestOf(order).isShaped).toBe(true);
    // A change of it may be anything, and so may what the builder made.
    expect(requestOf({ ...order }).isShaped).toBeUndefined();
    expect(requestOf(market).isShaped).toBeUndefined();
    check(market);
    expect(requestOf(order).isShaped).toBeUndefined();
  });

  test('is on no other kind, and on no refused value', () => {
    for (const intent of SAMPLES) {
      const isMarked = requestOf(check(intent)).isShaped === true;
      expect([intent.kind, isMarked && intent.kind !== 'place_order']).toEqual([
        intent.kind,
        false,
      ]);
    }
    const bad = { ...market, request: { ...market.request, size: Number.NaN } } as Intent;
    expect(checkIntent(bad).ok).toBe(false);
  });
});

test('MON-1: what a monitor fires has the key as its client id, also if the strategy gave undefined', () => {
  const trigger = { type: 'price_level', symbol: 'BTC', price: 90, direction: 'below' } as const;
  const sell = { symbol: 'BTC', side: 'sell', order_type: 'market', size: 1 } as const;
  const firedBy = (more: object): unknown => {
    const request = { ...sell, ...more } as typeof sell;
    const { body } = requestOf(createMonitor({ trigger, action: { type: 'order', request } }));
    return (JSON.parse(body) as { action: { request: object } }).action.request;
  };
  expect(firedBy({})).toEqual({ ...sell, client_order_id: KEY });
  expect(firedBy({ client_order_id: undefined })).toEqual({ ...sell, client_order_id: KEY });
  expect(firedBy({ client_order_id: 'mine' })).toEqual({ ...sell, client_order_id: 'mine' });
});
