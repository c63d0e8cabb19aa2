import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effectOf } from '../../../src/intents/effectOf.ts';
import { controlExecution, modifyOrder, placeOrder } from '../../../src/intents/index.ts';
import { openedBy } from '../../../src/runtime/pipe/openedBy.ts';

const changed = fc.record(
  {
    symbol: fc.constantFrom('BTC', 'ETH'),
    side: fc.constantFrom('buy', 'sell'),
    reduce_only: fc.boolean(),
    size: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: ['symbol', 'side', 'reduce_only'] },
);
const change = fc
  .record(
    { price: fc.integer({ min: 1, max: 9 }), size: fc.integer({ min: 1, max: 9 }) },
    { requiredKeys: [] },
  )
  .filter(({ price, size }) => price !== undefined || size !== undefined);

test('a changed order opens what it grows by, and with a new price all of it is an entry again', () => {
  fc.assert(
    fc.property(changed, change, (order, { price, size }) => {
      const intent = modifyOrder({ order_id: 'ord_1' }, {
        ...(price === undefined ? {} : { price }),
        ...(size === undefined ? {} : { size }),
      } as never);
      const grows = size === undefined ? 0 : Math.max(0, size - (order.size ?? 0));
      const one = { symbol: order.symbol, side: order.side };
      const growing = grows > 0 ? [{ ...one, size: grows }] : [];
      const repriced = [{ ...one, size: grows, price }];
      // By how much it grows may be unknown.
      const isUnknown = size !== undefined && order.size === undefined;
      const opened = order.reduce_only ? [] : price === undefined ? growing : repriced;
      expect(openedBy(intent, effectOf(intent), order as never)).toEqual(
        isUnknown && !order.reduce_only ? 'opaque' : opened,
      );
    }),
  );
});

test('a resumed execution is an entry of nothing new, one that only reduces is none, an unknown one is unknown', () => {
  const resume = controlExecution.resume({ execution_id: 'exe_1' });
  const effect = effectOf(resume);
  const execution = { symbol: 'ETH', side: 'sell', reduce_only: false };
  expect(openedBy(resume, effect, execution as never)).toEqual([
    { symbol: 'ETH', side: 'sell', size: 0 },
  ]);
  expect(openedBy(resume, effect, { ...execution, reduce_only: true } as never)).toEqual([]);
  expect(openedBy(resume, effect, undefined)).toBe('opaque');
});

test('what shows all that it opens is taken as it is', () => {
  const order = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 });
  expect(openedBy(order, effectOf(order), undefined)).toBeUndefined();
});
