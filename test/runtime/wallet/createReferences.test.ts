import { expect, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createVirtualEnv, createLiveMarketClock } from '../../../src/env/index.ts';
import { createReferences } from '../../../src/runtime/wallet/createReferences.ts';

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
  answer: () => number | undefined = () => 3,
) {
  const env = createVirtualEnv({ seed: 1 });
  const asked: number[] = [];
  let offsetMs = 0;
  const market = createLiveMarketClock(env, () => offsetMs);
  const references = createReferences({
    bookOf: (wallet) => (typeof given === 'function' ? given(wallet) : given) as never,
    budget: { admit: () => ({ admitted: true }), spend: () => {} } as never,
    dialect: defaultDialect,
    isListed: (symbol) => symbol !== 'SPAM/USDC',
    market,
    request() {
      asked.push(market.now());
      const mark = answer();
      if (mark === undefined) return { kind: 'no_answer', reason: 'timeout' };
      const body = { mark, bid: 1, ask: 1, last: 1 };
      return { kind: 'answered', response: { status: 200, headers: {}, body } };
    },
  });
  const pass = (ms: number) => env.queue.advanceTo(env.queue.now() + ms);
  const price = () => references.of('main', 'PURR/USDC')?.price;
  return { references, asked, pass, price, setBack: (ms: number) => void (offsetMs -= ms) };
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
