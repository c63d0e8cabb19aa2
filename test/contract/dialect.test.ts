import { describe, expect, test } from 'vitest';
import { createDialect, defaultDialect, dialectValues } from '../../src/contract/index.ts';

describe('DIAL-1: every choice that the spec leaves open is in the dialect', () => {
  test('a value is configurable without side effects', () => {
    const dialect = createDialect({ signing: { timestampToleranceSeconds: 5 } });
    expect(dialect.signing).toEqual({ ...defaultDialect.signing, timestampToleranceSeconds: 5 });
    expect(dialect.signing.timestampToleranceSeconds).toBe(5);
    expect(dialect.headers).toEqual(defaultDialect.headers);
  });

  test('an endpoint’s path, weight and scope change by its id', () => {
    const dialect = createDialect({
      endpoints: { 'orders.place': { path: '/orders/new', weight: 3 } },
    });
    expect(dialect.endpoints['orders.place']).toMatchObject({
      path: '/orders/new',
      weight: 3,
      scope: 'trade',
      method: 'POST',
    });
    expect(dialect.endpoints['orders.get']).toEqual(defaultDialect.endpoints['orders.get']);
  });

  test('a module replaces shapes and values; the configuration goes over the module', () => {
    const dialect = createDialect(
      { headers: { wallet: 'X-Mine' } },
      {
        values: { headers: { wallet: 'X-Module', requestId: 'X-Id' } },
        shapes: { normaliseServerFrame: () => 'changed' },
      },
    );
    expect(dialect.headers).toMatchObject({ wallet: 'X-Mine', requestId: 'X-Id' });
    expect(dialect.shapes.normaliseServerFrame({})).toBe('changed');
    expect(dialect.shapes.encodeClientMessage({ id: '1', op: 'subscribe', channel: 'x' })).toBe(
      '{"id":"1","op":"subscribe","channel":"x"}',
    );
  });

  test('a status takes other controls, and the others keep theirs', () => {
    const { transitions } = createDialect({
      executions: { transitions: { running: ['stop'] } },
    }).executions;
    expect(transitions).toEqual({
      running: ['stop'],
      paused: ['resume', 'stop', 'mark-complete'],
      interrupted: ['resume', 'stop', 'mark-complete'],
    });
    for (const wrong of [{ running: ['resume'] }, { paused: ['pause'] }, { stopped: ['resume'] }]) {
      expect(dialectValues.safeParse({ executions: { transitions: wrong } }).success).toBe(false);
    }
  });

  test('a name that is not a choice is refused', () => {
    expect(dialectValues.safeParse({ heders: {} }).success).toBe(false);
    expect(dialectValues.safeParse({ endpoints: { 'orders.plaec': {} } }).success).toBe(false);
  });

  test('every choice names the section that leaves it open', () => {
    for (const [section, schema] of Object.entries(dialectValues.shape)) {
      if (section === 'endpoints') continue;
      const inner = schema.unwrap() as { shape: Record<string, { meta(): unknown }> };
      for (const [name, choice] of Object.entries(inner.shape)) {
        expect(choice.meta(), `${section}.${name}`).toMatchObject({
          section: expect.stringMatching(/^§\d/),
          description: expect.stringContaining('not shown'),
        });
      }
    }
  });
});

describe('names that differ at a service', () => {
  const { shapes } = createDialect({
    names: {
      fields: { order_id: 'oid', 'stop_loss.price': 'trigger', constructor: 'maker' },
      query: { limit: 'most' },
      words: { algo: { smartexit: 'exit' } },
      codes: { not_found: 'E404' },
      clientIdPrefix: 'own-',
    },
  });
  const request = { endpoint: 'orders.modify', pathParams: { id: 'client:a' } } as const;

  test('are translated in path, query and body, both ways', () => {
    const body = JSON.stringify({
      price: 1,
      stop_loss: { price: 2 },
      legs: [{ algo: 'smartexit' }],
    });
    expect(shapes.toWire({ ...request, query: { limit: 3 }, body })).toMatchObject({
      pathParams: { id: 'own-a' },
      query: { most: 3 },
      body: '{"price":1,"stop_loss":{"trigger":2},"legs":[{"algo":"exit"}]}',
    });
    const reported = { oid: 'o', price: 1, stop_loss: { trigger: 2 }, legs: [{ algo: 'exit' }] };
    expect(
      shapes.fromWire('orders.get', { status: 200, headers: {}, body: reported }).body,
    ).toEqual({
      order_id: 'o',
      price: 1,
      stop_loss: { price: 2 },
      legs: [{ algo: 'smartexit' }],
    });
  });

  test('apply to error codes, not to text that looks like one', () => {
    const body = { error: { code: 'E404', message: 'E404' }, last_error: { code: 'E404' } };
    expect(shapes.fromWire('orders.get', { status: 404, headers: {}, body }).body).toEqual({
      error: { code: 'not_found', message: 'E404' },
      last_error: { code: 'not_found' },
    });
  });

  test('two of our names cannot map to one of theirs', () => {
    const names = { fields: { order_id: 'id', execution_id: 'id' } };
    expect(() => createDialect({ names })).toThrow(/order_id and execution_id can't both be id/);
  });

  test('configuration and module are merged name by name', () => {
    const module = { values: { names: { codes: { not_found: 'gone', internal: 'oops' } } } };
    const dialect = createDialect({ names: { codes: { internal: 'broken' } } }, module);
    expect(dialect.names.codes).toEqual({ not_found: 'gone', internal: 'broken' });
  });

  test('the default dialect sends the very text that was written', () => {
    const text = '{ "size": 1.0 }';
    const same = defaultDialect.shapes.toWire({ ...request, query: {}, body: text });
    expect(same.body).toBe(text);
  });
});
