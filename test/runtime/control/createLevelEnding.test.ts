import { expect, test } from 'vitest';
import type { OrderRecord } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createLevelEnding } from '../../../src/runtime/control/createLevelEnding.ts';
import type { KillLatch, KillLevel } from '../../../src/runtime/control/killLevels.ts';
import type { AtWork } from '../../../src/runtime/wallet/AtWork.ts';

const orderOf = (id: string) =>
  ({
    order_id: id,
    client_order_id: `own-${id}`,
    symbol: 'BTC',
    side: 'buy',
    type: 'limit',
    price: 100,
    size: 1,
    filled_size: 0,
    status: 'open',
  }) as unknown as OrderRecord;
const workOf = (
  wallet: string,
  orders: OrderRecord[],
  holdings: NonNullable<AtWork['holdings']>,
): AtWork => ({
  wallet,
  orders,
  holdings,
  executions: [],
  positions: [],
  monitors: [],
  isOwn: (key) => key.startsWith('own-'),
});

/** Two wallets; what the streams show of them, and what the service says when it is asked. */
function setUp(level: KillLevel) {
  const env = createVirtualEnv();
  const state = {
    latch: { level, reason: 'test', time: 1 } as KillLatch,
    shown: { main: [] as OrderRecord[], side: [] as OrderRecord[] },
    open: { main: [] as OrderRecord[], side: [] as OrderRecord[] },
    held: { main: 0, side: 0 },
    accepted: 0,
    reads: [] as number[],
    asked: [] as string[],
  };
  const ending = createLevelEnding({
    env,
    market: env.queue,
    latch: () => state.latch,
    symbolsOf: () => ['BTC'],
    closable: (work) => work,
    atWork: () =>
      (['main', 'side'] as const).map((wallet) => {
        const size = state.held[wallet];
        return workOf(wallet, state.shown[wallet], size === 0 ? [] : [{ symbol: 'BTC', size }]);
      }),
    submit: ({ wallet, intent }) =>
      void state.asked.push(
        `${wallet} ${
          intent.kind === 'cancel_order'
            ? intent.order.order_id
            : intent.kind === 'place_order'
              ? `sells ${intent.request.size}`
              : intent.kind
        }`,
      ),
    isPending: () => false,
    read: async (wallet) => {
      if (wallet === 'main') state.reads.push(env.clock.monotonicNow());
      const orders = state.open[wallet as 'main' | 'side'];
      return { ok: true, work: { orders, executions: [], positions: [], monitors: [] } };
    },
    settled: async () => {},
    acceptedCount: () => state.accepted,
  });
  const from = env.clock.monotonicNow();
  async function wait(ms: number): Promise<void> {
    for (const end = env.queue.now() + ms; env.queue.now() < end;) {
      env.queue.advanceTo(env.queue.now() + 20);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
  }
  /** Seconds of the queries since the start. */
  const readsAt = () => state.reads.map((time) => Math.floor((time - from) / 1_000));
  return { ending, state, wait, readsAt };
}

test('once nothing is left, the service is asked each minute', async () => {
  const { ending, wait, readsAt } = setUp('L2');
  ending.start();
  await wait(70_000);
  expect(readsAt().map((second) => second < 5)).toEqual([true, false]);
  expect(readsAt()[1]).toBeGreaterThanOrEqual(60);
  ending.stop();
});

test('all who ask what is left while the service is being asked wait for that answer, and ask no more', async () => {
  const { ending, state, wait } = setUp('L2');
  state.open.side = [orderOf('late')];
  const all = [ending.unended(), ending.unended()];
  ending.start();
  all.push(ending.unended());
  await wait(10);
  state.open.side = [];
  await wait(20_000);
  const [first, ...others] = await Promise.all(all);
  for (const one of others) expect(one).toEqual(first);
  expect(state.asked.filter((line) => line === 'side late')).toHaveLength(1);
  ending.stop();
});

test('what was accepted since is looked for at the next look, and ended', async () => {
  const { ending, state, wait, readsAt } = setUp('L2');
  ending.start();
  await wait(2_000);
  state.accepted++;
  state.open.side = [orderOf('late')];
  await wait(4_000);
  expect(readsAt().length).toBeGreaterThan(1);
  expect(state.asked).toContain('side late');
  ending.stop();
});

test('what was not ended is tried again each half a minute', async () => {
  const { ending, state, wait } = setUp('L2');
  state.open.main = [orderOf('stays')];
  ending.start();
  await wait(20_000);
  const tried = state.asked.length;
  expect(tried).toBeGreaterThan(0);
  await wait(35_000);
  expect(state.asked.length).toBeGreaterThan(tried);
  expect(await Promise.race([ending.unended(), wait(20_000)])).toEqual([
    expect.stringContaining('main: '),
  ]);
  ending.stop();
});

test('each wallet sells what it holds itself, with the first look and after the service was asked', async () => {
  const { ending, state, wait } = setUp('L3');
  state.held = { main: 3, side: 1 };
  state.open.side = [orderOf('late')];
  ending.start();
  await wait(8_000);
  expect(state.asked.length).toBeGreaterThan(4);
  expect([...new Set(state.asked)].toSorted()).toEqual([
    'main sells 3',
    'side late',
    'side sells 1',
  ]);
  // What is sold is asked for no more.
  state.held = { main: 0, side: 1 };
  state.asked.length = 0;
  await wait(30_000);
  expect(state.asked).toContain('side sells 1');
  expect(state.asked.filter((asked) => asked.startsWith('main'))).toEqual([]);
  ending.stop();
});

test('a level that is over asks and ends nothing more', async () => {
  const { ending, state, wait } = setUp('L2');
  state.open.main = [orderOf('stays')];
  ending.start();
  await wait(200);
  state.latch = { level: 'L0', reason: 're-armed', time: 2 };
  ending.pause();
  // A query that is on its way may still be answered.
  await wait(1_500);
  const [reads, asked] = [state.reads.length, state.asked.length];
  await wait(60_000);
  expect([state.reads.length, state.asked.length]).toEqual([reads, asked]);
  expect(asked).toBeLessThanOrEqual(1);
});

test('of a bot that has stopped nothing more is asked or ended', async () => {
  const { ending, state, wait } = setUp('L2');
  state.open.main = [orderOf('stays')];
  ending.start();
  await wait(200);
  ending.stop();
  // A query that is on its way may still be answered.
  await wait(1_500);
  const [reads, asked] = [state.reads.length, state.asked.length];
  await wait(60_000);
  expect([state.reads.length, state.asked.length]).toEqual([reads, asked]);
  expect(asked).toBeLessThanOrEqual(1);
});

test('a level that comes while the bot stops ends what is shown once, and starts no chain', async () => {
  const { ending, state, wait } = setUp('L2');
  state.shown.main = [orderOf('one')];
  ending.stop();
  ending.start();
  expect(state.asked).toEqual(['main one']);
  await wait(60_000);
  expect(state.asked).toEqual(['main one']);
  expect(state.reads).toEqual([]);
});

test('at L4 every wallet’s open work is named, for nothing can end it', async () => {
  const { ending, state } = setUp('L4');
  state.shown.main = [orderOf('one')];
  state.shown.side = [orderOf('two')];
  const lines = await ending.unended();
  expect(lines.map((line) => line.split(':')[0])).toEqual(['main', 'side']);
});

test('who asks what is left gets the present state, and not that of the look before', async () => {
  const { ending, state, wait } = setUp('L2');
  state.open.side = [orderOf('stays')];
  ending.start();
  await wait(12_000);
  expect(await Promise.race([ending.unended(), wait(20_000)])).toHaveLength(1);
  state.open.side = [];
  expect(await Promise.race([ending.unended(), wait(20_000)])).toEqual([]);
  ending.stop();
});
