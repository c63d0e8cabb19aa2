import { expect, test } from 'vitest';
import type { OrderRecord, PositionRecord } from '../../../src/contract/index.ts';
import { createVirtualEnv, pause } from '../../../src/env/index.ts';
import { cancelOrder, closePosition } from '../../../src/intents/index.ts';
import { applyStopPolicy } from '../../../src/runtime/control/applyStopPolicy.ts';
import type { AtWork } from '../../../src/runtime/wallet/index.ts';

const ANSWER_MS = 450;
const work: AtWork = {
  wallet: 'main',
  orders: [],
  executions: [],
  positions: [],
  monitors: [],
  isOwn: () => true,
};

const order = { order_id: 'ord_1', order_type: 'limit', side: 'buy', size: 1, symbol: 'BTC' };
const found = { orders: [order as OrderRecord], executions: [], positions: [], monitors: [] };

test.each([1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000])(
  'within %i ms no query begins that has no time for its answer',
  async (limitMs) => {
    const env = createVirtualEnv();
    const asked: number[] = [];
    let result: readonly string[] | undefined;
    void applyStopPolicy({
      wallets: ['main'],
      env,
      market: env.queue,
      // The bot's own view shows nothing; the service does.
      wanted: ({ orders }) => orders.map(({ order_id }) => cancelOrder({ order_id })),
      workOf: () => work,
      async read(_wallet, until) {
        const leftMs = until - env.clock.monotonicNow();
        asked.push(leftMs);
        await pause(env.timers, Math.min(ANSWER_MS, leftMs));
        return leftMs < ANSWER_MS
          ? { ok: false, reason: 'no time is left' }
          : { ok: true, work: structuredClone(found) };
      },
      cause: 'a test',
      submit: () => {},
      isPending: () => false,
      settled: () => Promise.resolve(),
      isShown: () => true,
      limitMs,
    }).then((lines) => (result = lines));
    for (let at = 0; at <= limitMs && result === undefined; at += 10) {
      env.queue.advanceTo(env.queue.now() + 10);
      for (let tick = 0; tick < 50; tick++) await Promise.resolve();
    }
    // What the last answer showed, and not that another one failed.
    expect(result).toEqual(['main: ord_1, limit buy 1 BTC']);
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(ANSWER_MS);
  },
);

test('what is not wanted any more when the pause after a reading is over is not asked for', async () => {
  const env = createVirtualEnv();
  let isKept = false;
  let reads = 0;
  const submitted: unknown[] = [];
  const ended = applyStopPolicy({
    wallets: ['main'],
    env,
    market: env.queue,
    wanted: ({ orders, holdings = [] }) => [
      ...orders.flatMap(({ order_id }) => (isKept ? [] : [cancelOrder({ order_id })])),
      ...holdings.map(({ symbol }) => cancelOrder({ order_id: symbol })),
    ],
    workOf: () => ({ ...work, holdings: isKept ? [] : [{ symbol: 'HYPE/USDC', size: 1 }] }),
    async read() {
      reads += 1;
      return { ok: true, work: structuredClone(found) };
    },
    cause: 'a test',
    submit: ({ intent }) => void submitted.push(intent),
    isPending: () => false,
    settled: () => Promise.resolve(),
    isShown: () => true,
    limitMs: 8_000,
  });
  let result: readonly string[] | undefined;
  void ended.then((lines) => (result = lines));
  for (let at = 0; at <= 8_000 && result === undefined; at += 10) {
    env.queue.advanceTo(env.queue.now() + 10);
    for (let tick = 0; tick < 50; tick++) await Promise.resolve();
    // Within the pause after the first reading: it is the operator's, and the holding is sold.
    if (reads > 0) isKept = true;
  }
  expect(result).toEqual([]);
  expect(submitted).toEqual([cancelOrder({ order_id: 'HYPE/USDC' })]);
});

test('what does not end is asked for in three rounds, and queried as long as there is time', async () => {
  const env = createVirtualEnv();
  const causes: string[] = [];
  let reads = 0;
  let result: readonly string[] | undefined;
  void applyStopPolicy({
    wallets: ['main'],
    env,
    market: env.queue,
    wanted: ({ orders }) => orders.map(({ order_id }) => cancelOrder({ order_id })),
    workOf: () => ({ ...work, orders: found.orders }),
    async read() {
      reads += 1;
      return { ok: true, work: structuredClone(found) };
    },
    cause: 'a test',
    submit: ({ cause }) => void causes.push(cause),
    isPending: () => false,
    settled: () => Promise.resolve(),
    isShown: () => true,
    limitMs: 30_000,
  }).then((lines) => (result = lines));
  for (let at = 0; at <= 30_000 && result === undefined; at += 10) {
    env.queue.advanceTo(env.queue.now() + 10);
    for (let tick = 0; tick < 50; tick++) await Promise.resolve();
  }
  expect(causes).toEqual(['a test:1', 'a test:2', 'a test:3']);
  expect(reads).toBeGreaterThan(3);
  expect(result).toEqual(['main: ord_1, limit buy 1 BTC']);
});

test('what waits for its turn already is asked for in no round', async () => {
  const env = createVirtualEnv();
  const submitted: unknown[] = [];
  let result: readonly string[] | undefined;
  const orders = [order, { ...order, order_id: 'ord_2' }] as OrderRecord[];
  void applyStopPolicy({
    wallets: ['main'],
    env,
    market: env.queue,
    wanted: ({ orders: open }) => open.map(({ order_id }) => cancelOrder({ order_id })),
    workOf: () => ({ ...work, orders }),
    read: async () => ({ ok: true, work: { ...structuredClone(found), orders } }),
    cause: 'a test',
    submit: ({ intent }) => void submitted.push(intent),
    isPending: ({ intent }) => JSON.stringify(intent).includes('ord_1'),
    settled: () => Promise.resolve(),
    isShown: () => true,
    limitMs: 8_000,
  }).then((lines) => (result = lines));
  for (let at = 0; at <= 8_000 && result === undefined; at += 10) {
    env.queue.advanceTo(env.queue.now() + 10);
    for (let tick = 0; tick < 50; tick++) await Promise.resolve();
  }
  expect(submitted).toEqual(Array.from({ length: 3 }, () => cancelOrder({ order_id: 'ord_2' })));
  expect(result).toHaveLength(2);
});

const long = (size: number) =>
  ({ symbol: 'BTC', side: 'long', size, entry_price: 9 }) as PositionRecord;

// Each close fills what the market takes; the list of positions is that of before the first of them, or lacks all.
test.each([
  ['what a cut close left is closed again, though the list lacks it', [10, 4, 1, 0], 3, []],
  ['what no close has ended is reported, though the list lacks it', [10, 4, 4, 4], 3, [4]],
  ['a stream that shows nothing new is behind the list', [10, 10, 10, 10], 1, []],
])('%s', async (_name, sizes, closes, left) => {
  const env = createVirtualEnv();
  let sent = 0;
  let result: readonly string[] | undefined;
  void applyStopPolicy({
    wallets: ['main'],
    env,
    market: env.queue,
    wanted: ({ positions }) => positions.map(({ symbol }) => closePosition.atMarket(symbol)),
    workOf: () => ({ ...work, positions: [long(sizes[sent]!)].filter(({ size }) => size > 0) }),
    read: () => Promise.resolve({ ok: true, work: { ...found, orders: [] } }),
    cause: 'a test',
    submit: () => void sent++,
    isPending: () => false,
    settled: () => Promise.resolve(),
    isShown: () => true,
    limitMs: 30_000,
  }).then((lines) => (result = lines));
  for (let at = 0; at <= 30_000 && result === undefined; at += 10) {
    env.queue.advanceTo(env.queue.now() + 10);
    for (let tick = 0; tick < 50; tick++) await Promise.resolve();
  }
  expect(sent).toBe(closes);
  expect(result).toEqual(left.map((size) => `main: position long ${size} BTC at 9`));
});
