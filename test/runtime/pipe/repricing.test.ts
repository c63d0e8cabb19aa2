import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  cancelOrder,
  controlExecution,
  launch,
  modifyOrder,
  placeOrder,
  type Intent,
} from '../../../src/intents/index.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
  open.push(server);
});
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const limit = { symbol: 'BTC', side: 'buy', size: 0.02 } as const;
const params = { duration_seconds: 3_600 };

/** A bot with a position, an entry that rests, an exit that rests, and an execution of each sort. */
async function atWork(guards: TestBotOptions['guards'] = {}) {
  const told = await openTestBot(server, { guards });
  open.push(told);
  await told.step(2);
  const { price: mark } = await priceOf(told);
  const near = Math.round(mark * 0.995);
  const far = Math.round(mark * 1.2);
  told.propose(placeOrder.market(limit));
  await told.step(1);
  const work: Intent[] = [
    placeOrder.limit({ ...limit, price: near }, { ref: 'entry' }),
    placeOrder.limit({ ...limit, side: 'sell', price: far, reduce_only: true }, { ref: 'exit' }),
    launch.pacemaker({ symbol: 'BTC', side: 'buy', total_size: 0.02, params }, { ref: 'in' }),
    launch.pacemaker(
      { symbol: 'BTC', side: 'sell', total_size: 0.01, reduce_only: true, params },
      { ref: 'out' },
    ),
  ];
  for (const intent of work) told.propose(intent);
  await told.step(1);
  for (const ref of ['in', 'out']) told.propose(controlExecution.pause({ ref }));
  await told.step(1);
  const { items } = await told.client.executions.list();
  expect(items.map(({ status }) => status)).toEqual(['paused', 'paused']);
  return { told, mark, near, far };
}

async function priceOf({ client }: TestBot): Promise<{ price: number }> {
  const { mark } = (await client.market.price({ symbol: 'BTC' })) as unknown as { mark: number };
  return { price: mark };
}

/** What became of an intent: accepted, or the guard that denied it. */
async function outcomeOf(told: TestBot, intent: Intent): Promise<string> {
  const from = told.events.length;
  told.propose(intent);
  await told.step(1);
  const last = told.events
    .slice(from)
    .flatMap((item) =>
      item.kind === 'intent' &&
      JSON.stringify(item.event.emission.intent) === JSON.stringify(intent)
        ? [item.event]
        : [],
    );
  return last.at(-1)?.guard ?? last.at(-1)?.state ?? 'nothing';
}

const change = (ref: string, to: { price: number; size?: number } | { size: number }): Intent =>
  modifyOrder({ ref }, to);

describe('a changed entry counts as an entry', () => {
  test('the collar judges its new price, with or without a new size', async () => {
    const { told, mark, near, far } = await atWork({ price_collar_bps: 100 });
    expect(await outcomeOf(told, change('entry', { price: mark * 10 }))).toBe('price_collar');
    expect(await outcomeOf(told, change('entry', { price: mark * 10, size: 0.03 }))).toBe(
      'price_collar',
    );
    expect(await outcomeOf(told, change('entry', { price: mark * 10, size: 0.01 }))).toBe(
      'price_collar',
    );
    expect(await outcomeOf(told, change('entry', { price: near - 1 }))).toBe('accepted');
    expect(await outcomeOf(told, change('exit', { price: far + 1 }))).toBe('accepted');
  });

  test('at L1 nothing that opens passes, and all that ends or shrinks does', async () => {
    const { told, near, far } = await atWork();
    await told.bot.kill('L1', 'a test');
    const denied = [
      change('entry', { price: near - 1 }),
      change('entry', { price: near - 1, size: 0.01 }),
      change('entry', { size: 0.03 }),
      controlExecution.resume({ ref: 'in' }),
      controlExecution.completeAtMarket({ ref: 'in' }),
    ];
    for (const intent of denied) expect(await outcomeOf(told, intent)).toBe('entry_gate');
    const passed = [
      change('entry', { size: 0.01 }),
      change('exit', { price: far + 1 }),
      change('exit', { size: 0.01 }),
      controlExecution.resume({ ref: 'out' }),
      controlExecution.pause({ ref: 'out' }),
      controlExecution.stop({ ref: 'in' }),
      cancelOrder({ ref: 'entry' }),
    ];
    for (const intent of passed) expect(await outcomeOf(told, intent)).toBe('accepted');
  });

  test('what nobody can tell is denied, be it a new price or a resume', async () => {
    const { told, near } = await atWork();
    const price = modifyOrder({ order_id: 'ord_unheard' }, { price: near });
    const resume = controlExecution.resume({ execution_id: 'exe_unheard' });
    expect(await outcomeOf(told, price)).toBe('shows_exposure');
    expect(await outcomeOf(told, resume)).toBe('shows_exposure');
  });

  test('it adds nothing to what limits count, and is no new entry for the throttle', async () => {
    const limits = { max_order_notional: 3_000, max_position_notional: 3_700 };
    const { told, near } = await atWork({ ...limits, max_entries_per_hour: 3 });
    for (let lower = 1; lower <= 4; lower++) {
      expect(await outcomeOf(told, change('entry', { price: near - lower }))).toBe('accepted');
    }
    expect(await outcomeOf(told, controlExecution.resume({ ref: 'in' }))).toBe('accepted');
    expect(await outcomeOf(told, change('entry', { size: 0.03 }))).toBe('max_position_notional');
  });
});

test('an exit that was just placed is moved at the same bar, at L1 too', async () => {
  const { told, far } = await atWork();
  await told.bot.kill('L1', 'a test');
  const exit = placeOrder.limit(
    { ...limit, side: 'sell', size: 0.01, price: far, reduce_only: true },
    { ref: 'new exit' },
  );
  const moved = change('new exit', { price: far + 1 });
  told.propose(exit);
  expect(await outcomeOf(told, moved)).not.toMatch(/entry_gate|shows_exposure|nothing/);
});

test('an order of a symbol that the strategy does not own is not changed by its id', async () => {
  const feeds = ['BTC', 'ETH'].map((symbol) => ({ symbol, interval: '1m' as const, generate: {} }));
  const both = await openTestServer({ feeds }, { feeds: [testFeed(), testFeed('ETH')] });
  open.push(both);
  const told = await openTestBot(both);
  open.push(told);
  await told.step(2);
  const body = { ...limit, symbol: 'ETH', order_type: 'limit', price: 20_000 } as const;
  const { order_id } = await told.client.orders.place({ body });
  await told.step(1);
  expect(await outcomeOf(told, modifyOrder({ order_id }, { price: 30_000 }))).toBe('owns_symbols');
});
