import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import '../../src/testingVitest.ts';
import { assertIntents, testStrategy } from '../../src/testing/index.ts';
import { placeOrder } from '../../src/intents/index.ts';
import { planted } from './planted.ts';

const buys = planted((ctx) =>
  ctx
    .candles('BTC', '5m')
    .pipe(map(({ close }) => placeOrder.market({ symbol: 'BTC', side: 'buy', size: close }))),
);
const twice = () => testStrategy(buys, { symbols: ['BTC'] }).bars('BTC', '5m', [100, 110]);

describe('toEmitIntents', () => {
  test('passes if the given fields of all intents are as expected', () => {
    expect(twice()).toEmitIntents([
      { kind: 'place_order', request: { size: 100 } },
      { kind: 'place_order', request: { size: expect.closeTo(110.01, 1) as number } },
    ]);
    expect(twice()).not.toEmitIntents([]);
  });

  test('names the first difference, and what was sent', () => {
    const compare = () =>
      expect(twice()).toEmitIntents([{ request: { size: 100 } }, { request: { size: 1 } }]);
    expect(compare).toThrow(
      /differ at \[1\]\.request\.size:\n {2}expected: 1\n {2}received: 110\n/,
    );
    expect(compare).toThrow('place_order buy 110 BTC, upon bar:BTC:5m:');
  });

  test('refuses intents that were not expected, and those that are missing', () => {
    expect(() => expect(twice()).toEmitIntents([{}])).toThrow(
      'differ at [1]:\n  expected: nothing',
    );
    expect(() => expect(twice()).toEmitIntents([{}, {}, {}])).toThrow('received: nothing');
    expect(() => expect(twice()).not.toEmitIntents([{}, {}])).toThrow('Exactly these 2 intents');
  });

  test('shows in the diff what is compared, and of an unexpected intent what was decided', () => {
    const diffOf = (compare: () => void): { actual?: unknown } => {
      try {
        compare();
      } catch (error) {
        return error as { actual?: unknown };
      }
      throw new Error('It passed.');
    };
    const order = { kind: 'place_order', request: { symbol: 'BTC', side: 'buy', size: 110 } };
    const parts = [
      { request: { size: 100 } },
      { ...order, request: { ...order.request, order_type: 'market' } },
    ];
    const expected = [{ request: { size: 1 } }];
    expect(diffOf(() => expect(twice()).toEmitIntents(expected)).actual).toEqual(parts);
    expect(diffOf(() => assertIntents(twice(), expected)).actual).toEqual(parts);
    const all = diffOf(() => expect(twice()).toEmitIntents([{}]));
    expect(String(all)).toContain("kind: 'place_order'");
    expect(String(all)).not.toContain('trigger');
    const placeholder = [{ request: { size: expect.any(String) as unknown as number } }, {}];
    expect(diffOf(() => assertIntents(twice(), placeholder)).actual).toEqual([parts[0], {}]);
  });
});
