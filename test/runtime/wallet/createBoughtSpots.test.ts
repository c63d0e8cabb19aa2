import { expect, test } from 'vitest';
import type { FillRecord, OrderRecord } from '../../../src/contract/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createBoughtSpots } from '../../../src/runtime/wallet/createBoughtSpots.ts';

test('sums of fills have no binary tail, which would cost a lot', () => {
  const spots = createBoughtSpots({
    store: createMemoryStore(),
    isOwn: () => true,
    onFatal: (error) => {
      throw error;
    },
  });
  for (const [at, size] of [0.1, 0.2].entries()) {
    const side = size > 0 ? 'buy' : 'sell';
    spots.fill('main', {
      fill_id: `f${at}`,
      order_id: `o${at}`,
      symbol: 'HYPE/USDC',
      side,
      size: Math.abs(size),
      time: at,
    } as FillRecord);
  }
  expect(0.1 + 0.2).not.toBe(0.3);
  expect(spots.size('main', 'HYPE/USDC')).toBe(0.3);
});

test.each([1_234_567.89012, 12_345_678.90127])('and lose none of its digits: %d', (size) => {
  const spots = createBoughtSpots({
    store: createMemoryStore(),
    isOwn: () => true,
    onFatal: (error) => {
      throw error;
    },
  });
  const keys = { fill_id: 'f', order_id: 'o', symbol: 'HYPE/USDC', side: 'buy', time: 1 };
  spots.fill('main', { ...keys, size } as FillRecord);
  expect(spots.size('main', 'HYPE/USDC')).toBe(size);
  const left = 0.00001;
  const sale = { ...keys, fill_id: 'g', side: 'sell', size: size - left };
  spots.fill('main', sale as FillRecord);
  expect(spots.size('main', 'HYPE/USDC')).toBeCloseTo(left, 8);
});

/** A bot that has bought 20, sells 10 of them by one order, and starts again whenever it is told to. */
function setUp() {
  const store = createMemoryStore();
  const start = () =>
    createBoughtSpots({
      store,
      isOwn: () => true,
      onFatal: (error) => {
        throw error;
      },
    });
  let spots = start();
  let fills = 0;
  const symbol = 'HYPE/USDC';
  const order = (status: string, filledSize: number) =>
    ({ order_id: 'o1', symbol, side: 'sell', status, filled_size: filledSize }) as OrderRecord;
  const fill = (side: 'buy' | 'sell', size: number): void => {
    const id = `f${fills++}`;
    const keys = { fill_id: id, order_id: side === 'sell' ? 'o1' : id, time: fills };
    spots.fill('main', { ...keys, symbol, side, size } as FillRecord);
  };
  fill('buy', 20);
  return {
    store,
    fill,
    sell: () => spots.sold('main', { symbol, size: 10 }, order('open', 0)),
    end: (filledSize: number) => spots.order('main', order('cancelled', filledSize)),
    restart: () => void (spots = start()),
    left: () => spots.size('main', symbol),
  };
}

test.each([
  [[], 0],
  [['before the end'], 0],
  [['before the end', 'after it'], 0],
  // Shown before its answer arrived.
  [['before the end'], 3],
])('a sale that ends early returns what it has not sold, with restarts %j', (restarts, early) => {
  const { fill, sell, end, restart, left } = setUp();
  if (early > 0) fill('sell', early);
  sell();
  fill('sell', 4 - early);
  expect(left()).toBe(10);
  if (restarts.includes('before the end')) restart();
  end(5);
  expect(left()).toBe(15);
  if (restarts.includes('after it')) restart();
  // Told again, by a frame or a list.
  end(5);
  expect(left()).toBe(15);
  fill('sell', 1);
  expect(left()).toBe(15);
  end(5);
  expect(left()).toBe(15);
});

test('a journal of an earlier version has debits without sizes', () => {
  const { store, fill, sell, end, restart, left } = setUp();
  sell();
  const { sizes, ...state } = JSON.parse(store.meta('spot:main')!) as Record<string, unknown>;
  expect(sizes).toEqual({ o1: 10 });
  store.setMeta('spot:main', JSON.stringify(state));
  restart();
  end(4);
  expect(left()).toBe(16);
  fill('sell', 4);
  expect(left()).toBe(16);
});
