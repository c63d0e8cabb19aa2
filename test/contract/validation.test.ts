import { describe, expect, test } from 'vitest';
import { checkShape, endpointSpec } from '../../src/contract/index.ts';

const order = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' };

describe('RULE-1: no field is dropped silently', () => {
  test.each([
    ['in the body', `{"__proto__":1,${JSON.stringify(order).slice(1)}`, '__proto__'],
    [
      'deep inside, and written with escapes',
      `{"stop_loss":{"trail":{"indicator":"ema","interval":"1m","params":{"\\u005f_proto__":{}}}},${JSON.stringify(order).slice(1)}`,
      'stop_loss.trail.params.__proto__',
    ],
  ])('a field __proto__ %s is an unknown field', (_where, text, path) => {
    const { body } = endpointSpec('orders.place');
    const result = checkShape<unknown>(body!, JSON.parse(text));
    expect(result).toMatchObject({
      ok: false,
      fault: { code: 'validation_failed', details: { fields: [{ path, code: 'unknown_field' }] } },
    });
  });

  test('the order itself is taken', () => {
    expect(checkShape<unknown>(endpointSpec('orders.place').body!, order).ok).toBe(true);
  });
});
