import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FillRecord, OrderRecord } from '../../../src/contract/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createBoughtSpots } from '../../../src/runtime/wallet/createBoughtSpots.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';

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
  void store.setMeta('spot:main', JSON.stringify(state));
  restart();
  end(4);
  expect(left()).toBe(16);
  fill('sell', 4);
  expect(left()).toBe(16);
});

describe('of a thousand', () => {
  const symbol = 'HYPE/USDC';
  const MOST = 1_000;

  /** A process with the journal of the one before, for which every key is the bot's, or none. */
  function open(store = createMemoryStore(), isOwn = () => true) {
    const onFatal = (error: unknown): never => {
      throw error;
    };
    const spots = createBoughtSpots({ store, isOwn, onFatal });
    const fill = (side: 'buy' | 'sell', order: string, id: number, size = 1): void => {
      const keys = { fill_id: `f${id}`, order_id: order, time: id };
      spots.fill('main', { ...keys, symbol, side, size } as FillRecord);
    };
    return { store, spots, fill, left: () => spots.size('main', symbol) };
  }
  const seenIn = (store: ReturnType<typeof createMemoryStore>): string[] =>
    (JSON.parse(store.meta('spot:main')!) as { seen: string[] }).seen;
  const sale = (id: string, status: string, filled: number): OrderRecord =>
    ({ order_id: id, symbol, side: 'sell', status, filled_size: filled }) as OrderRecord;

  test('the newest fills that the next process reads again none counts twice, and no more are kept', () => {
    const first = open();
    for (let id = 0; id < MOST + 200; id++) first.fill('buy', `o${id}`, id);
    expect(seenIn(first.store)).toEqual(Array.from({ length: MOST }, (_, at) => `f${at + 200}`));
    const next = open(first.store);
    for (let id = 200; id < MOST + 200; id++) next.fill('buy', `o${id}`, id);
    expect(next.left()).toBe(MOST + 200);
  });

  test('purchases that have no owner yet the newest count once they have', () => {
    let isOwn = false;
    const { fill, left } = open(createMemoryStore(), () => isOwn);
    for (let id = 0; id < MOST + 5; id++) fill('buy', `o${id}`, id, id < 5 ? 100 : 1);
    expect(left()).toBe(0);
    isOwn = true;
    expect(left()).toBe(MOST);
  });

  test('sales whose fills or ends come before their answers each counts once', () => {
    const { spots, fill, left } = open();
    fill('buy', 'entry', 0, 3 * MOST);
    for (let at = 0; at < MOST; at++) {
      fill('sell', `s${at}`, at + 1);
      spots.order('main', sale(`s${at}`, 'cancelled', 1));
    }
    expect(left()).toBe(2 * MOST);
    for (let at = 0; at < MOST; at++)
      spots.sold('main', { symbol, size: 2 }, sale(`s${at}`, 'open', 0));
    expect(left()).toBe(2 * MOST);
  });
});

const WALLETS = ['main', 'side'];
const SPOTS = ['HYPE/USDC', 'PURR/USDC'];
const BOUGHT = 100;
/** A sale in quarters of a unit, and at which moments what is shown of it, earlier or later. */
const drawnSale = fc.record({
  wallet: fc.constantFrom(...WALLETS),
  symbol: fc.constantFrom(...SPOTS),
  size: fc.integer({ min: 1, max: 40 }),
  fills: fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 3 }),
  /** Undefined: it is another's, and has no answer. */
  answerAt: fc.option(fc.nat({ max: 20 }), { nil: undefined }),
  answersEnd: fc.boolean(),
  fillsAt: fc.array(fc.nat({ max: 20 }), { minLength: 3, maxLength: 3 }),
  endsAt: fc.option(fc.nat({ max: 20 }), { nil: undefined }),
});
const drawnLife = fc.record({
  sales: fc.array(drawnSale, { minLength: 1, maxLength: 4 }),
  restartsAt: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }),
  isTwice: fc.boolean(),
});

test('what is bought and not sold is right at each moment, however a sale is shown, over restarts', async () => {
  const tried = new Tried();
  await holdLaw(400, drawnLife, ({ sales, restartsAt, isTwice }) => {
    const store = createMemoryStore();
    const start = () =>
      createBoughtSpots({
        store,
        isOwn: (key) => key.startsWith('own'),
        onFatal(error) {
          throw error;
        },
      });
    let spots = start();
    const known = sales.map(({ size, fills, ...sale }, at) => {
      // An order that was made larger fills more than the bot sells by it.
      const parts = fills.map((part) => part / 4);
      const total = parts.reduce((sum, part) => sum + part, 0);
      const shown = { fills: 0, isAnswered: false, isOver: false };
      return { ...sale, id: `${at}`, size: size / 4, parts, total, ...shown };
    });
    const show = (wallet: string, record: object): void => {
      for (let time = 0; time < (isTwice ? 2 : 1); time++)
        spots.fill(wallet, { time: 1, ...record } as FillRecord);
    };
    for (const wallet of WALLETS) {
      for (const symbol of SPOTS) {
        const buy = { symbol, side: 'buy', size: BOUGHT };
        // A fill has an id that is unique in its wallet alone.
        show(wallet, { ...buy, fill_id: `a ${symbol}`, order_id: 'own' });
        show(wallet, { ...buy, fill_id: `b ${symbol}`, order_id: 'x', client_order_id: 'own' });
        show(wallet, { ...buy, fill_id: `c ${symbol}`, order_id: 'x', execution_id: 'own' });
        show(wallet, { ...buy, fill_id: `d ${symbol}`, order_id: 'other' });
      }
    }
    const expectRight = (): void => {
      for (const wallet of WALLETS) {
        for (const symbol of SPOTS) {
          const sold = known
            .filter((one) => one.wallet === wallet && one.symbol === symbol)
            .map(({ isAnswered, isOver, fills, size, total }) =>
              isAnswered ? Math.max(fills, Math.min(size, isOver ? total : size)) : fills,
            );
          const left = sold.reduce((sum, size) => sum - size, 3 * BOUGHT);
          expect(spots.size(wallet, symbol)).toBe(left);
        }
      }
    };
    for (let at = 0; at <= 20; at++) {
      for (const one of known) {
        const { wallet, symbol, id, size, total } = one;
        const record = (status: string, filled: number) =>
          ({ order_id: id, symbol, side: 'sell', status, filled_size: filled }) as OrderRecord;
        for (const [part, filled] of one.parts.entries()) {
          if (one.fillsAt[part] !== at) continue;
          show(wallet, {
            fill_id: `${id} ${part}`,
            order_id: id,
            symbol,
            side: 'sell',
            size: filled,
          });
          one.fills += filled;
          expectRight();
        }
        if (one.endsAt === at) {
          one.isOver = true;
          spots.order(wallet, record('cancelled', total));
          expectRight();
        }
        if (one.answerAt === at) {
          if (one.fills > 0) tried.take('early fill');
          if (one.isOver) tried.take('early end');
          one.isAnswered = true;
          const isOver = one.answersEnd;
          one.isOver ||= isOver;
          const answer = isOver ? record('filled', total) : record('open', 0);
          for (let time = 0; time < (isTwice ? 2 : 1); time++)
            spots.sold(wallet, { symbol, size }, answer);
          expectRight();
        }
      }
      // What came before its answer is known to its process alone.
      const isEarly = known.some(
        (one) => one.answerAt !== undefined && !one.isAnswered && (one.fills > 0 || one.isOver),
      );
      if (!restartsAt.includes(at) || isEarly) continue;
      tried.take('restart');
      spots = start();
      expectRight();
    }
  });
  expect(tried.rare(['early fill', 'early end', 'restart'], 10)).toEqual([]);
});

test('what is sold before its purchase has an owner is gone, of its symbol alone', () => {
  let isKnown = false;
  const spots = createBoughtSpots({
    store: createMemoryStore(),
    isOwn: (key) => isKnown || key.endsWith(' buy 7'),
    onFatal(error) {
      throw error;
    },
  });
  const fill = (symbol: string, side: string, size: number): void => {
    const id = `${symbol} ${side} ${size}`;
    spots.fill('main', { fill_id: id, order_id: id, symbol, side, size, time: 1 } as FillRecord);
  };
  for (const symbol of SPOTS) for (const size of [2, 3]) fill(symbol, 'buy', size);
  fill(SPOTS[1]!, 'buy', 7);
  fill(SPOTS[1]!, 'sell', 11);
  isKnown = true;
  expect(SPOTS.map((symbol) => spots.size('main', symbol))).toEqual([5, 1]);
});
