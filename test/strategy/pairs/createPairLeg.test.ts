import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPairLeg } from '../../../src/strategy/pairs/createPairLeg.ts';
import { toInstrumentView } from '../../../src/strategy/toInstrumentView.ts';
import { listInstruments } from '../../../src/testing/listInstruments.ts';
import { holdLaw } from '../../holdLaw.ts';

const record = listInstruments(['BTC'], {}).get('BTC')!;

/** An order of a leg that holds so much, or undefined. */
function orderOf(given: {
  least: number;
  price: number;
  held: number;
  size: number;
  size_decimals?: number;
}) {
  const { least, size_decimals = 2 } = given;
  const instrument = { ...record, size_decimals, min_order_value: least };
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

test('a size of very many steps is sent as it is, and one between two steps as the lower', () => {
  for (const [size, decimals, sent] of [
    [25_000, 5, 25_000],
    [2e9, 0, 2e9],
    [1000 / 0.095, 5, 10_526.31578],
    [0.1 + 0.2, 2, 0.3],
    [0.57 * 100, 0, 57],
    [0.2999, 2, 0.29],
  ] as const) {
    const given = { least: 0, price: 1, held: 0, size_decimals: decimals };
    expect(orderOf({ ...given, size })).toMatchObject({ request: { size: sent } });
    expect(orderOf({ ...given, size: -size })).toMatchObject({ request: { size: sent } });
  }
});

test.each([
  ['filled', { filled: 1, remaining: 0 }, 0],
  ['partly', { filled: 0.4, remaining: 0.6 }, 0],
  ['refused', { filled: 0, remaining: 1 }, 1],
] as const)(
  'an order that ends %s counts as a refusal only if nothing filled',
  (end, as, count) => {
    for (const [kind, held] of [
      ['entry', 0],
      ['reduction', -5],
    ] as const) {
      const views = new Map<string, Record<string, unknown>>();
      const ctx = {
        byRef(ref: string) {
          const view = { ref, filled: 0, remaining: 0, ended: false };
          views.set(ref, view);
          return view;
        },
        instrument: () => toInstrumentView(record),
        liveness: () => 'live',
        now: () => 7,
      };
      const leg = createPairLeg(ctx as never, 'BTC', { name: 'pair' });
      leg.price = 50_000;
      leg.onPosition(held);
      for (const times of [1, 2]) {
        const intent = leg.order(1, 60_000)!;
        expect(leg.takeEnd()).toBeUndefined();
        leg.follow({ intent, state: 'accepted' } as never);
        Object.assign(views.get(intent.ref!)!, { ...as, state: 'accepted', ended: true });
        expect([leg.takeEnd(), leg.takeEnd()]).toEqual([end, undefined]);
        expect(leg.refusals).toEqual({ entry: 0, reduction: 0, [kind]: count * times });
        expect(leg.refusedAt).toEqual(end === 'filled' ? {} : { [kind]: 7 });
      }
    }
  },
);
