import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import '../../src/testingVitest.ts';
import { testStrategy } from '../../src/testing/index.ts';
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
});
