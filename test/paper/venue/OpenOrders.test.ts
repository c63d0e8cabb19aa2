import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../src/contract/index.ts';
import { createRandom } from '../../../src/env/index.ts';
import type { Engine } from '../../../src/paper/core/Engine.ts';
import { createEngine } from '../../../src/paper/engine/createEngine.ts';
import type { SavedEngine } from '../../../src/paper/state/SavedEngine.ts';
import { OpenOrders } from '../../../src/paper/venue/OpenOrders.ts';
import type { Order } from '../../../src/paper/venue/Order.ts';
import { rotation } from '../../tiers.ts';
import { feedOf, flat, MINUTE, walk, type Row } from '../engine/bench.ts';

const isSpot = (symbol: string): boolean => symbol.includes('/');

/** The sums over all orders, from the first to the last. */
function sumUp(orders: Iterable<Order>) {
  const margined = new Map<string, Record<'buy' | 'sell', { size: number; notional: number }>>();
  let heldCash = 0;
  for (const { record } of orders) {
    const { symbol, side, price, size, filled_size: filled, reduce_only: reduceOnly } = record;
    if (price === null) continue;
    const left = size - filled;
    if (isSpot(symbol)) {
      if (side === 'buy') heldCash += left * price;
    } else if (!reduceOnly) {
      const none = { buy: { size: 0, notional: 0 }, sell: { size: 0, notional: 0 } };
      const sides = margined.get(symbol) ?? none;
      margined.set(symbol, sides);
      sides[side].size += left;
      sides[side].notional += left * price;
    }
  }
  return { margined: [...margined], heldCash };
}

describe('the margin of open orders', () => {
  const rows = [...flat(100, 30), [100, 100, 99, 99.5, 1_000], ...flat(99.5, 30)] as const;
  const open = (saved?: SavedEngine, bars: ReadonlyArray<Row> = rows) => {
    const instruments = { BTC: { price_decimals: 2 } };
    const feeds = [feedOf(bars)];
    return createEngine({ feeds, instruments, ...(saved === undefined ? {} : { saved }) });
  };

  const call = (target: Engine, endpoint: EndpointId, id = '', body: unknown = undefined) => {
    const given = { endpoint, pathParams: { id }, query: {}, body, wallet: 'main' };
    const rest = { idempotencyKey: null, requireScope: () => {} };
    return target.handlers[endpoint]!({ ...given, ...rest }).body as Record<string, unknown>;
  };

  test.each(['filled', 'moved', 'enlarged', 'cancelled'] as const)(
    'is that of a fresh sum when one of them is %s',
    (change) => {
      const engine = open();
      engine.addAccount('main', 1e6);
      const head = { symbol: 'BTC', side: 'buy', order_type: 'limit' };
      const orders = [99.2, 98, 97].map((price) =>
        call(engine, 'orders.place', '', { ...head, size: 500, price }),
      );
      const id = String(orders[0]!['order_id']);
      const before = call(engine, 'account.get')['used_margin'];
      if (change === 'filled') engine.advanceTo(engine.now + 31 * MINUTE);
      else if (change === 'cancelled') call(engine, 'orders.cancel', id);
      else call(engine, 'orders.modify', id, change === 'moved' ? { price: 98.5 } : { size: 700 });
      const after = call(engine, 'account.get');
      expect(after['used_margin']).not.toBe(before);
      expect(call(engine, 'orders.get', id)['filled_size']).toBe(change === 'filled' ? 100 : 0);
      const fresh = open(JSON.parse(JSON.stringify(engine.save())) as SavedEngine);
      expect(after).toEqual(call(fresh, 'account.get'));
    },
  );

  test('and when its tracked price moves', () => {
    const bars = walk('tracked', 60);
    const engine = open(undefined, bars);
    engine.addAccount('main', 1e6);
    engine.advanceTo(engine.startTime + 20 * MINUTE);
    const params = { period: 5, mult: 20 };
    const read = { indicator: 'keltner', series: 'lower', params, interval: '1m' };
    const follow = { ...read, track: true, min_move_bps: 0 };
    const head = { symbol: 'BTC', side: 'buy', order_type: 'limit', size: 5 };
    const order = call(engine, 'orders.place', '', { ...head, price_from: follow });
    const before = call(engine, 'account.get')['used_margin'];
    engine.advanceTo(engine.endTime - MINUTE);
    expect(call(engine, 'orders.get', String(order['order_id']))['price']).not.toBe(order['price']);
    const after = call(engine, 'account.get');
    expect(after['used_margin']).not.toBe(before);
    const fresh = open(JSON.parse(JSON.stringify(engine.save())) as SavedEngine, bars);
    expect(after).toEqual(call(fresh, 'account.get'));
  });
});

describe('the totals of open orders', () => {
  test.each(Array.from({ length: 20 }, (_none, at) => `${rotation} ${at}`))(
    'have the bits of a sum over all, whatever came, went and changed (seed %s)',
    (seed) => {
      const random = createRandom(seed);
      const pick = <T>(values: readonly T[]): T =>
        values[Math.floor(random.next() * values.length)]!;
      const draw = (id: string): Order => {
        const price = random.next() < 0.2 ? null : random.next() * 100;
        const symbol = pick(['BTC', 'ETH', 'HYPE/USDC']);
        const head = { order_id: id, symbol, side: pick(['buy', 'sell'] as const) };
        const size = { size: random.next(), filled_size: 0 };
        return {
          record: { ...head, ...size, price, reduce_only: random.next() < 0.2 },
        } as Order;
      };
      const orders = new OpenOrders();
      for (let step = 0; step < 400; step++) {
        const known = pick([...orders.values(), undefined]);
        const at = random.next();
        if (known === undefined || at < 0.5) orders.set(`ord_${step}`, draw(`ord_${step}`));
        else if (at < 0.65) orders.delete(known.record.order_id);
        else if (at < 0.9) {
          if (at < 0.75) known.record.filled_size += known.record.size / 3;
          else if (known.record.price !== null) known.record.price *= 1.01;
          orders.changed(known);
        } else if (at < 0.905) orders.clear();
        if (random.next() < 0.5) continue;
        const { margined, heldCash } = orders.totals(isSpot);
        expect({ margined: [...margined], heldCash }).toEqual(sumUp(orders.values()));
      }
    },
  );
});
