import { expect, test } from 'vitest';
import type { AccountRecord, ExecutionRecord, OrderRecord } from '../../src/contract/index.ts';
import type { Intent } from '../../src/intents/index.ts';
import { createRefs, liveIdsOf } from '../../src/runtime/createRefs.ts';
import { createWalletBook } from '../../src/runtime/createWalletBook.ts';

const orderOf = (ref: string): Intent => ({
  kind: 'place_order',
  request: { symbol: 'BTC', side: 'buy', order_type: 'market', size: 1 },
  ref,
});
const launchOf = (ref: string): Intent => ({
  kind: 'launch',
  request: {
    algo: 'pacemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 1,
    params: { duration_seconds: 60 },
  },
  ref,
});

function setUp(live: () => ReadonlySet<string> | undefined) {
  const refs = createRefs(live);
  const resolve = refs.resolverOf('ema');
  const place = (from: number, until: number): void => {
    for (let index = from; index < until; index++)
      refs.named('ema', orderOf(`o${index}`), `${index}`);
  };
  const known = (until: number): number =>
    Array.from({ length: until }, (_, index) => resolve('order', `o${index}`)).filter(Boolean)
      .length;
  return { refs, resolve, place, known };
}

test('names of what is over are forgotten, the oldest first', () => {
  const { resolve, place, known } = setUp(() => new Set());
  place(0, 20_000);
  expect(known(20_000)).toBeLessThan(1_200);
  expect(known(20_000)).toBeGreaterThanOrEqual(1_000);
  expect(resolve('order', 'o0')).toBeUndefined();
  expect(resolve('order', 'o19999')).toBe('client:19999');
});

test('what is open is known for as long as it is open, however old its name', () => {
  const { refs, resolve, place } = setUp(() => new Set(['client:7', 'ord_8', 'exe_1']));
  place(0, 20);
  refs.became('ema', orderOf('o8'), { order_id: 'ord_8' });
  refs.named('ema', launchOf('run'), 'k');
  refs.became('ema', launchOf('run'), { execution_id: 'exe_1' });
  place(20, 20_000);
  expect(resolve('order', 'o7')).toBe('client:7');
  expect(resolve('order', 'o8')).toBe('client:8');
  expect(resolve('execution', 'run')).toBe('exe_1');
  expect(resolve('order', 'o9')).toBeUndefined();
});

test('nothing is forgotten while nobody knows what is open', () => {
  let live: ReadonlySet<string> | undefined;
  const { place, known } = setUp(() => live);
  place(0, 3_000);
  expect(known(3_000)).toBe(3_000);
  live = new Set();
  place(3_000, 3_001);
  expect(known(3_001)).toBe(1_000);
});

test("an instance's names push out no other's", () => {
  const { refs, place } = setUp(() => new Set());
  refs.named('other', orderOf('mine'), 'k');
  place(0, 5_000);
  expect(refs.resolverOf('other')('order', 'mine')).toBe('client:k');
});

test('live ids are those of open orders, by both names, and of executions that are not over', () => {
  const feeds = { isFollowed: () => true, isAwaited: () => false };
  const book = createWalletBook({ now: () => 0, priceOf: () => 1, ...feeds });
  const order = { order_id: 'ord_1', client_order_id: 'c1' } as OrderRecord;
  book.model({
    wallet: 'main',
    version: 1,
    time: 0,
    complete: true,
    positions: new Map(),
    balances: new Map(),
    openOrders: new Map([['ord_1', order]]),
    account: {} as AccountRecord,
  });
  book.executions([
    { execution_id: 'exe_1', status: 'running' },
    { execution_id: 'exe_2', status: 'completed' },
  ] as ExecutionRecord[]);
  expect([...liveIdsOf(book)]).toEqual(['ord_1', 'client:c1', 'exe_1']);
});

test('says what an instance asked for under a ref, before any answer', () => {
  const refs = createRefs();
  refs.named('ema', orderOf('o1'), 'k1');
  refs.named('ema', launchOf('run'), 'k2');
  const asked = refs.askedOf('ema');
  expect(asked('order', 'o1')).toMatchObject({ symbol: 'BTC', reduce_only: false });
  expect(asked('execution', 'run')).toMatchObject({ symbol: 'BTC', reduce_only: false });
  expect(asked('execution', 'o1')).toBeUndefined();
  expect(asked('order', undefined)).toBeUndefined();
  expect(refs.askedOf('other')('order', 'o1')).toBeUndefined();
});
