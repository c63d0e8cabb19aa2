import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPairLeg } from '../../../src/strategy/pairs/createPairLeg.ts';
import { toInstrumentView } from '../../../src/strategy/toInstrumentView.ts';
import { listInstruments } from '../../../src/testing/listInstruments.ts';
import { holdLaw } from '../../holdLaw.ts';

const record = listInstruments(['BTC'], {}).get('BTC')!;

/** An order of a leg that holds so much, or undefined. */
function orderOf(given: { least: number; price: number; held: number; size: number }) {
  const instrument = { ...record, size_decimals: 2, min_order_value: given.least };
  const view = { ref: 'one', bought: 0, sold: 0, filled: 0, remaining: 0, ended: false };
  const ctx = {
    byRef: (ref: string) => ({ ...view, ref }),
    instrument: () => toInstrumentView(instrument),
    liveness: () => 'live',
    now: () => 0,
  };
  const leg = createPairLeg(ctx as never, 'BTC', { name: 'pair' });
  leg.price = given.price;
  leg.onPosition(given.held);
  return leg.order(given.size, 60_000);
}

test('an order worth exactly the minimum, in decimal, is sent', () => {
  // As doubles the products are 7.699999999999999.
  for (const [size, price] of [
    [0.35, 22],
    [0.7, 11],
    [1.4, 5.5],
  ] as const) {
    for (const sign of [1, -1]) {
      const order = orderOf({ least: 7.7, price, held: 0, size: sign * size });
      expect(order).toMatchObject({ request: { side: sign > 0 ? 'buy' : 'sell', size } });
    }
  }
});

test('one that is worth less is not, unless it reduces', async () => {
  const drawn = fc.record({
    cents: fc.integer({ min: 1, max: 300 }),
    price: fc.integer({ min: 1, max: 60 }),
    least: fc.integer({ min: 1, max: 500 }),
    sign: fc.constantFrom(1, -1),
    held: fc.constantFrom(0, 5, -5),
  });
  await holdLaw(500, drawn, ({ cents, price, least, sign, held }) => {
    const size = (sign * cents) / 100;
    const order = orderOf({ least: least / 10, price, held, size });
    const isReducing = sign * held < 0;
    expect(order !== undefined).toBe(isReducing || cents * price >= least * 10);
    if (order === undefined) return;
    const request = { side: sign > 0 ? 'buy' : 'sell', size: cents / 100 };
    expect(order).toMatchObject({ request });
    expect('reduce_only' in (order as { request: object }).request).toBe(isReducing);
  });
});
