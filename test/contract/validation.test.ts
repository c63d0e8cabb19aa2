import { describe, expect, test } from 'vitest';
import { checkShape, endpointSpec, type EndpointId } from '../../src/contract/index.ts';

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

  test('it is named after a field of the contract that is wrong', () => {
    const text = `{"__proto__":1,${JSON.stringify({ ...order, size: -1 }).slice(1)}`;
    const result = checkShape<unknown>(endpointSpec('orders.place').body!, JSON.parse(text));
    expect(result).toMatchObject({
      ok: false,
      fault: { details: { fields: [{ path: 'size' }, { path: '__proto__' }] } },
    });
  });

  test('the order itself is taken', () => {
    expect(checkShape<unknown>(endpointSpec('orders.place').body!, order).ok).toBe(true);
  });
});

describe('MKT-3: a parameter of an indicator is named where it stands', () => {
  const read = (params: object): object => ({ indicator: 'bollinger', interval: '1m', params });
  const launch = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 1 };
  const wrong = { period: 0, std_dev: 'two', length: 9 };
  const places: ReadonlyArray<[EndpointId, object, string]> = [
    [
      'orders.place',
      { ...order, stop_loss: { at: { ...read(wrong), series: 'lower' } } },
      'stop_loss.at',
    ],
    [
      'orders.place',
      { ...order, order_type: 'limit', price_from: { ...read(wrong), series: 'lower' } },
      'price_from',
    ],
    [
      'executions.launch',
      {
        ...launch,
        params: { duration_seconds: 600 },
        take_profit: { at: { ...read(wrong), series: 'upper' } },
      },
      'take_profit.at',
    ],
  ];

  test('of a monitor, which needs the series that it means, too', () => {
    const action = { type: 'order', request: order };
    const head = { type: 'indicator_level', symbol: 'BTC', direction: 'above' };
    const pathsOf = (more: object): string[] => {
      const body = { trigger: { ...head, ...more }, action };
      const result = checkShape<unknown>(endpointSpec('monitors.create').body!, body);
      if (result.ok) return [];
      return (result.fault.details.fields as Array<{ path: string }>).map(({ path }) => path);
    };
    expect(pathsOf({ ...read({}), series: 'lower' })).toEqual([]);
    expect(pathsOf(read({}))).toEqual(['trigger.series']);
    expect(pathsOf({ ...read({}), series: 'middle-earth' })).toEqual(['trigger.series']);
    expect(pathsOf({ ...read(wrong), series: 'lower' }).toSorted()).toEqual(
      ['length', 'period', 'std_dev'].map((name) => `trigger.params.${name}`),
    );
  });

  test.each(places)('%s %j: in %s', (endpoint, body, place) => {
    const result = checkShape<unknown>(endpointSpec(endpoint).body!, body);
    const fields = result.ok ? [] : (result.fault.details.fields as Array<{ path: string }>);
    const paths = fields.map(({ path }) => path).filter((path) => path.includes('.params'));
    expect(paths.toSorted()).toEqual(
      ['length', 'period', 'std_dev'].map((name) => `${place}.params.${name}`),
    );
  });
});

describe('a fault says what stands at its place', () => {
  const messageOf = (changes: object): string => {
    const body = endpointSpec('orders.place').body!;
    const result = checkShape<unknown>(body, { ...order, ...changes });
    return result.ok ? 'no fault' : result.fault.message;
  };

  test.each([
    [{ size: -1 }, /^size: .+ \(it is -1\)$/],
    [{ size: '1' }, /^size: .+ \(it is "1"\)$/],
    [{ side: 'long' }, /^side: .+ \(it is "long"\)$/],
    [{ side: 'l'.repeat(100) }, /^side: .+ \(it is "l{59}…\)$/],
    [{ stop_loss: { price: [1] } }, /^stop_loss\.price: .+ \(it is a list\)$/],
    // A kind of value that the message names already.
    [{ size: undefined }, /^size: [^()]+ received undefined$/],
    [{ size: null }, /^size: [^()]+ received null$/],
    [{ size: {} }, /^size: [^()]+ received object$/],
    [{ size: Number.NaN }, /^size: It is NaN/],
    // What looks like a secret.
    [{ side: 'vs_4ac81f' }, /^side: [^()]+$/],
    [{ side: 'https://a:b@host' }, /^side: [^()]+$/],
  ])('%j', (changes, words) => {
    expect(messageOf(changes)).toMatch(words);
  });
});
