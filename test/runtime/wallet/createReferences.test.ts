import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultDialect, type Exchange } from '../../../src/contract/index.ts';
import { createVirtualEnv, createLiveMarketClock } from '../../../src/env/index.ts';
import { createReferences } from '../../../src/runtime/wallet/createReferences.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';

/** A wallet in which others hold two of an asset that the bot does not follow. */
const book = {
  positionRecord: () => undefined,
  openOrders: () => [],
  liveExecutions: () => [],
  entryMonitors: () => [],
  position: () => 2,
};

/** @param answer the next price; undefined for none */
function setUp(
  given: object | ((wallet: string) => object) = book,
  answer: () => number | undefined | Promise<Exchange> = () => 3,
  status = 200,
) {
  const env = createVirtualEnv({ seed: 1 });
  const asked: number[] = [];
  const wallets: unknown[] = [];
  const spent: unknown[] = [];
  let hasRoom = true;
  let offsetMs = 0;
  const market = createLiveMarketClock(env, () => offsetMs);
  const references = createReferences({
    bookOf: (wallet) => (typeof given === 'function' ? given(wallet) : given) as never,
    budget: {
      admit: () => ({ admitted: hasRoom }),
      spend: (...one: unknown[]) => void spent.push(one),
    } as never,
    dialect: defaultDialect,
    isListed: (symbol) => symbol !== 'SPAM/USDC',
    market,
    request({ wallet }) {
      asked.push(market.now());
      wallets.push(wallet);
      const mark = answer();
      if (mark instanceof Promise) return mark;
      if (mark === undefined) return { kind: 'no_answer', reason: 'timeout' };
      const body = { mark, bid: 1, ask: 1, last: 1 };
      return { kind: 'answered', response: { status, headers: {}, body } };
    },
  });
  const pass = (ms: number) => env.queue.advanceTo(env.queue.now() + ms);
  const price = () => references.of('main', 'PURR/USDC')?.price;
  return {
    references,
    asked,
    wallets,
    spent,
    pass,
    price,
    setBack: (ms: number) => void (offsetMs -= ms),
    setRoom: (next: boolean) => void (hasRoom = next),
  };
}

test.each([
  [3, 3],
  // Worth nothing it would pass every limit.
  [0, undefined],
  [-1, undefined],
])('a mark of %s is the price %s', async (mark, price) => {
  const { references, price: ask } = setUp(book, () => mark);
  ask();
  expect(references.of('main', 'PURR/USDC')).toEqual({ what: 'a holding of 2', price });
});

test('a price that a limit has asked for once is read each minute', () => {
  let mark = 3;
  const { asked, pass, price, references } = setUp(book, () => mark++);
  price();
  expect(price()).toBe(3);
  pass(3_600_000);
  expect(price()).toBe(63);
  expect(asked).toHaveLength(61);
  references.stop();
  pass(3_600_000);
  expect(asked).toHaveLength(61);
});

test('the price of a holding is read as long as one of the wallets has it', () => {
  const held: Record<string, number> = { main: 2, side: 2 };
  const bookOf = (wallet: string) => ({ ...book, position: () => held[wallet] });
  const { asked, pass, references } = setUp(bookOf);
  for (const wallet of ['main', 'side']) references.of(wallet, 'PURR/USDC');
  held['main'] = 0;
  pass(180_000);
  expect(asked).toEqual([0, 60_000, 120_000, 180_000]);
});

test('the price of a holding is read no more when it is gone', () => {
  let held = 2;
  const { asked, pass, price } = setUp({ ...book, position: () => held });
  price();
  pass(60_000);
  held = 0;
  pass(3_600_000);
  expect(asked).toEqual([0, 60_000]);
});

test.each([
  [0, 0],
  [7, 7],
  // It came since the last account record.
  [undefined, 0],
])('an asset without an instrument is worth what the account says: %s is %s', (shown, price) => {
  const holding = { symbol: 'SPAM/USDC', size: 2, price: shown };
  const { asked, pass, references } = setUp({ ...book, spotHoldings: () => [holding] });
  const found = { what: 'a holding of 2', price };
  expect(references.of('main', 'SPAM/USDC')).toEqual(found);
  pass(3_600_000);
  expect(asked).toEqual([]);
});

test('a price of two minutes ago is none, until one is read again', () => {
  let mark: number | undefined = 3;
  const { pass, price, asked } = setUp(book, () => mark);
  price();
  mark = undefined;
  pass(120_000);
  expect(price()).toBe(3);
  pass(1);
  expect(price()).toBeUndefined();
  mark = 30;
  pass(60_000);
  expect(price()).toBe(30);
  expect(asked).toEqual([0, 60_000, 120_000, 180_000]);
});

test('after the market’s clock was set back the price is read at once', () => {
  let mark = 3;
  const { pass, price, setBack } = setUp(book, () => mark);
  pass(3_600_000);
  price();
  mark = 4;
  setBack(600_000);
  price();
  expect(price()).toBe(4);
});

test('the price at which another’s execution began is one for two minutes, and then there is another', () => {
  const execution = { execution_id: 'exe_1', symbol: 'PURR/USDC', arrival_price: 5 };
  const liveExecutions = () => [{ ...execution, average_price: null, created_time: 0 }];
  const { pass, price, asked } = setUp({ ...book, position: () => 0, liveExecutions });
  price();
  pass(120_000);
  expect([price(), asked]).toEqual([5, [0, 60_000, 120_000]]);
  pass(1);
  expect(price()).toBe(3);
});

test('another’s order has a price for as long as it rests', () => {
  const openOrders = () => [{ order_id: 'ord_1', symbol: 'PURR/USDC', price: 5 }];
  const { pass, price, asked } = setUp({ ...book, position: () => 0, openOrders });
  price();
  pass(3_600_000);
  expect([price(), asked]).toEqual([5, []]);
});

test('beside a position another’s old execution has the price of its mark, whether or not one can be read', () => {
  const position = { size: 2, mark_price: 20 };
  const old = { symbol: 'PURR/USDC', execution_id: 'e', created_time: 0, arrival_price: 5 };
  const given = { ...book, positionRecord: () => position, liveExecutions: () => [old] };
  const { pass, price } = setUp(given, () => undefined);
  pass(3_600_000);
  expect(price()).toBe(20);
});

test('a read is of the wallet that has it, and within the budget', () => {
  const { references, asked, wallets, spent, setRoom } = setUp();
  setRoom(false);
  references.of('side', 'PURR/USDC');
  expect([asked, spent]).toEqual([[], []]);
  setRoom(true);
  references.of('side', 'PURR/USDC');
  expect(wallets).toEqual(['side']);
  expect(spent).toEqual([[expect.any(Number), 'lookup']]);
});

test('what is no answer with a price is none', () => {
  const { price } = setUp(book, () => 3, 206);
  price();
  expect(price()).toBeUndefined();
});

test('a price that is later than the market’s clock, which was set back, is none', () => {
  let mark: number | undefined = 3;
  const { price, pass, setBack } = setUp(book, () => mark);
  pass(3_600_000);
  price();
  mark = undefined;
  setBack(120_000);
  expect(price()).toBe(3);
  setBack(1);
  expect(price()).toBeUndefined();
});

test('a price is as old as the request that asked for it', async () => {
  const held: Array<(exchange: Exchange) => void> = [];
  const { price, pass, references } = setUp(
    book,
    () => new Promise<Exchange>((answer) => held.push(answer)),
  );
  price();
  pass(59_000);
  const body = { mark: 3, bid: 1, ask: 1, last: 1 };
  held[0]!({ kind: 'answered', response: { status: 200, headers: {}, body } });
  await Promise.resolve();
  await Promise.resolve();
  expect(price()).toBe(3);
  pass(61_000);
  expect(price()).toBe(3);
  pass(1);
  expect(price()).toBeUndefined();
  references.stop();
});

const HERE = 'PURR/USDC';
const NOW = 3_600_000;
const price = fc.constantFrom<Array<number | null | undefined>>(null, undefined, 0, 2, 5, 8, 8);
const symbol = fc.constantFrom(HERE, HERE, HERE, 'BTC');
const listOf = (more: Record<string, fc.Arbitrary<unknown>>) =>
  fc.array(fc.record({ symbol, ...more }) as fc.Arbitrary<Drawn>, { maxLength: 3 });
interface Drawn {
  symbol: string;
  price?: number | null;
  arrival?: number | null;
  average?: number | null;
  ago?: number;
}
const drawn = fc.record({
  position: fc.option(price, { nil: undefined }),
  holding: fc.constantFrom(0, 0, 2),
  orders: listOf({ price }),
  executions: listOf({
    arrival: price,
    average: price,
    ago: fc.constantFrom(0, 119_999, 120_000, 120_001, NOW),
  }),
  monitors: listOf({ price }),
});

test('what others have on a symbol is worth the highest of its prices, or one that is read if one of them has none', async () => {
  const tried = new Tried();
  await holdLaw(500, drawn, ({ position: mark, holding, orders, executions, monitors }) => {
    const position = mark === undefined ? undefined : { size: 1, mark_price: mark };
    const given = {
      positionRecord: (of: string) => (of === HERE ? position : undefined),
      position: (of: string) => (of === HERE ? holding : 0),
      openOrders: () => orders.map((one, at) => ({ ...one, order_id: `o${at}` })),
      liveExecutions: () =>
        executions.map(({ ago, arrival, average, ...one }, at) => ({
          ...one,
          execution_id: `e${at}`,
          arrival_price: arrival,
          average_price: average,
          created_time: NOW - ago!,
        })),
      entryMonitors: () =>
        monitors.map(({ symbol: of, price: limit }, at) => ({
          monitor_id: `m${at}`,
          trigger: { type: 'price_level', symbol: of, price: 100, direction: 'above' },
          action: { type: 'order', request: { symbol: of, side: 'buy', size: 1, price: limit } },
        })),
    };
    const { references, asked, pass } = setUp(given, () => 3);
    pass(NOW);
    const found = () => references.of('main', HERE);
    const isHere = (one: Drawn): boolean => one.symbol === HERE;
    const isHeld = position === undefined && holding !== 0;
    const names = [
      ...(isHeld ? [`a holding of ${holding}`] : []),
      ...(position === undefined ? [] : ['a position of 1']),
      ...orders.flatMap((one, at) => (isHere(one) ? [`order o${at}`] : [])),
      ...executions.flatMap((one, at) => (isHere(one) ? [`execution e${at}`] : [])),
      ...monitors.flatMap((one, at) => (isHere(one) ? [`monitor m${at}`] : [])),
    ];
    if (names.length === 0) {
      expect(found()).toBeUndefined();
      expect(asked).toEqual([]);
      return;
    }
    const own = [
      ...(position === undefined ? [] : [mark]),
      ...[...orders, ...monitors].filter(isHere).map((one) => one.price),
      ...executions
        .filter(isHere)
        .map(({ ago, arrival, average }) => (ago! > 120_000 ? mark : (arrival ?? average))),
    ].map((one) => one ?? 0);
    const isOwn = !isHeld && own.every((one) => one > 0);
    tried.take(isOwn ? 'own' : 'read');
    if (isOwn && monitors.some(isHere)) tried.take('monitor');
    const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
    const what = `${names.slice(0, 3).join(', ')}${more}`;
    found();
    expect(found()).toEqual({ what, price: isOwn ? Math.max(...own) : 3 });
    expect(asked.length).toBe(isOwn && !executions.some(isHere) ? 0 : 1);
  });
  expect(tried.rare(['own', 'read', 'monitor'], 10)).toEqual([]);
});
