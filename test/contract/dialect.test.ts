import { describe, expect, test } from 'vitest';
import { createDialect, defaultDialect, dialectValues } from '../../src/contract/index.ts';

describe('DIAL-1: every choice that the spec leaves open stands in the dialect', () => {
  test('a value changes from configuration, and nothing else moves', () => {
    const dialect = createDialect({ signing: { timestampToleranceSeconds: 5 } });
    expect(dialect.signing).toEqual({ timestampToleranceSeconds: 5, signQueryString: true });
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
