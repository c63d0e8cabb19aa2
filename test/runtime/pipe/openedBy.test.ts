import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { effectOf } from '../../../src/intents/effectOf.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createAccepted } from '../../../src/runtime/wallet/createAccepted.ts';
import { createWalletBook } from '../../../src/runtime/wallet/createWalletBook.ts';
import { buy, emission, order as placed } from '../setUpPipe.ts';
import { controlExecution, modifyOrder, placeOrder } from '../../../src/intents/index.ts';
import { changedBy, openedBy } from '../../../src/runtime/pipe/openedBy.ts';

const changed = fc.record(
  {
    symbol: fc.constantFrom('BTC', 'ETH'),
    side: fc.constantFrom('buy', 'sell'),
    reduce_only: fc.boolean(),
    size: fc.integer({ min: 1, max: 5 }),
    price: fc.option(fc.integer({ min: 1, max: 9 })),
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
      const grown = grows > 0 ? { size: grows, orderSize: size } : { size: 0 };
      // What is added may trade where the order rests.
      const rests = typeof order.price === 'number' ? { triggeredAt: order.price } : {};
      const growing = grows > 0 ? [{ ...one, ...grown, ...rests }] : [];
      const repriced = [{ ...one, ...grown, price }];
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

describe('what was accepted, and no stream has shown yet,', () => {
  const record = { order_id: 'ord_1', client_order_id: 'mine', status: 'open', updated_time: 1 };
  const sources = () => {
    const env = createVirtualEnv({ startTime: 0 });
    const accepted = createAccepted(createMemoryStore(), env.clock);
    const book = createWalletBook({ now: () => 0 } as never);
    return { accepted, known: { wallet: 'main', book, accepted, asked: () => undefined } };
  };
  const change = modifyOrder({ order_id: 'x' }, { size: 5 });
  const named = (id: string) => ({ pathParams: { id } }) as never;

  test.each(['ord_1', 'client:mine'])('is changed with its own side and size: %s', (id) => {
    const { accepted, known } = sources();
    accepted.became(emission('one', placed), record);
    const asked = placed.kind === 'place_order' ? placed.request : undefined;
    const { symbol, side, size } = asked!;
    const found = changedBy(change, named(id), known);
    expect(found).toMatchObject({ symbol, side, size, reduce_only: false });
    const grown = { size: 5 - size, orderSize: 5, triggeredAt: 100 };
    expect(openedBy(change, effectOf(change), found)).toEqual([{ symbol, side, ...grown }]);
    // As large as the service has made it since.
    accepted.became(emission('two', change), { ...record, size: 4, updated_time: 2 });
    expect(changedBy(change, named(id), known)).toMatchObject({ size: 4 });
    expect(changedBy(change, named(id), { ...known, wallet: 'other' })).toBeUndefined();
    accepted.seen('ord_1');
    expect(changedBy(change, named(id), known)).toBeUndefined();
  });

  test('is an execution that may be resumed by its id', () => {
    const { accepted, known } = sources();
    accepted.became(emission('one', buy), { execution_id: 'exe_1', status: 'running' });
    const resume = controlExecution.resume({ execution_id: 'exe_1' });
    expect(changedBy(resume, named('exe_1'), known)).toMatchObject({ symbol: 'BTC', side: 'buy' });
    expect(changedBy(resume, named('exe_2'), known)).toBeUndefined();
  });
});
