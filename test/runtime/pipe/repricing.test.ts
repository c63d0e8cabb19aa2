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
  const reported = await openTestBot(server, { guards });
  open.push(reported);
  await reported.step(2);
  const { price: mark } = await priceOf(reported);
  const near = Math.round(mark * 0.995);
  const far = Math.round(mark * 1.2);
  reported.propose(placeOrder.market(limit));
  await reported.step(1);
  const work: Intent[] = [
    placeOrder.limit({ ...limit, price: near }, { ref: 'entry' }),
    placeOrder.limit({ ...limit, side: 'sell', price: far, reduce_only: true }, { ref: 'exit' }),
    launch.pacemaker({ symbol: 'BTC', side: 'buy', total_size: 0.02, params }, { ref: 'in' }),
    launch.pacemaker(
      { symbol: 'BTC', side: 'sell', total_size: 0.01, reduce_only: true, params },
      { ref: 'out' },
    ),
  ];
  for (const intent of work) reported.propose(intent);
  await reported.step(1);
  for (const ref of ['in', 'out']) reported.propose(controlExecution.pause({ ref }));
  await reported.step(1);
  const { items } = await reported.client.executions.list();
  expect(items.map(({ status }) => status)).toEqual(['paused', 'paused']);
  return { reported, mark, near, far };
}

async function priceOf({ client }: TestBot): Promise<{ price: number }> {
  const { mark } = (await client.market.price({ symbol: 'BTC' })) as unknown as { mark: number };
  return { price: mark };
}

/** Outcome of an intent: accepted, or the guard that denied it. */
async function outcomeOf(reported: TestBot, intent: Intent): Promise<string> {
  const from = reported.events.length;
  reported.propose(intent);
  await reported.step(1);
  const last = reported.events
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
  test('the collar checks its new price, with or without a new size', async () => {
    const { reported, mark, near, far } = await atWork({ price_collar_bps: 100 });
    expect(await outcomeOf(reported, change('entry', { price: mark * 10 }))).toBe('price_collar');
    expect(await outcomeOf(reported, change('entry', { price: mark * 10, size: 0.03 }))).toBe(
      'price_collar',
    );
    expect(await outcomeOf(reported, change('entry', { price: mark * 10, size: 0.01 }))).toBe(
      'price_collar',
    );
    expect(await outcomeOf(reported, change('entry', { price: near - 1 }))).toBe('accepted');
    expect(await outcomeOf(reported, change('exit', { price: far + 1 }))).toBe('accepted');
  });

  test('at L1 nothing that opens passes, and everything that ends or reduces does', async () => {
    const { reported, near, far } = await atWork();
    await reported.bot.kill('L1', 'a test');
    const denied = [
      change('entry', { price: near - 1 }),
      change('entry', { price: near - 1, size: 0.01 }),
      change('entry', { size: 0.03 }),
      controlExecution.resume({ ref: 'in' }),
      controlExecution.completeAtMarket({ ref: 'in' }),
    ];
    for (const intent of denied) expect(await outcomeOf(reported, intent)).toBe('entry_gate');
    const passed = [
      change('entry', { size: 0.01 }),
      change('exit', { price: far + 1 }),
      change('exit', { size: 0.01 }),
      controlExecution.resume({ ref: 'out' }),
      controlExecution.pause({ ref: 'out' }),
      controlExecution.stop({ ref: 'in' }),
      cancelOrder({ ref: 'entry' }),
    ];
    for (const intent of passed) expect(await outcomeOf(reported, intent)).toBe('accepted');
  });

  test('in a flood of intents an exit is moved, resumed and completed, and an entry is not', async () => {
    const { reported, near, far } = await atWork({ max_intents_per_minute: 4 });
    for (let count = 1; count <= 4; count++) reported.propose(change('entry', { size: 0.03 }));
    const passed = [
      change('exit', { price: far + 1 }),
      change('exit', { size: 0.01 }),
      controlExecution.resume({ ref: 'out' }),
      controlExecution.completeAtMarket({ ref: 'out' }),
    ];
    const denied = [change('entry', { price: near - 2 }), controlExecution.resume({ ref: 'in' })];
    for (const intent of [...passed, ...denied]) reported.propose(intent);
    await reported.step(1);
    const endOf = (intent: Intent): string | undefined => {
      const text = JSON.stringify(intent);
      const own = reported.events.flatMap((item) =>
        item.kind === 'intent' && JSON.stringify(item.event.emission.intent) === text
          ? [item.event.guard ?? item.event.state]
          : [],
      );
      return own.at(-1);
    };
    expect(passed.map(endOf)).toEqual(passed.map(() => 'accepted'));
    expect(denied.map(endOf)).toEqual(denied.map(() => 'max_intents_per_minute'));
  });

  test('an unknown effect is denied, for a new price or a resume', async () => {
    const { reported, near } = await atWork();
    const price = modifyOrder({ order_id: 'ord_unheard' }, { price: near });
    const resume = controlExecution.resume({ execution_id: 'exe_unheard' });
    expect(await outcomeOf(reported, price)).toBe('shows_exposure');
    expect(await outcomeOf(reported, resume)).toBe('shows_exposure');
  });

  test('it adds nothing to what limits count, and is no new entry for the throttle', async () => {
    const limits = { max_order_notional: 3_000, max_position_notional: 3_700 };
    const { reported, near } = await atWork({ ...limits, max_entries_per_hour: 3 });
    for (let lower = 1; lower <= 4; lower++) {
      expect(await outcomeOf(reported, change('entry', { price: near - lower }))).toBe('accepted');
    }
    expect(await outcomeOf(reported, controlExecution.resume({ ref: 'in' }))).toBe('accepted');
    expect(await outcomeOf(reported, change('entry', { size: 0.03 }))).toBe(
      'max_position_notional',
    );
  });
});

test('a just placed exit can be moved within the same bar, at L1 too', async () => {
  const { reported, far } = await atWork();
  await reported.bot.kill('L1', 'a test');
  const exit = placeOrder.limit(
    { ...limit, side: 'sell', size: 0.01, price: far, reduce_only: true },
    { ref: 'new exit' },
  );
  const moved = change('new exit', { price: far + 1 });
  reported.propose(exit);
  expect(await outcomeOf(reported, moved)).not.toMatch(/entry_gate|shows_exposure|nothing/);
});

test('an order of a symbol that the strategy does not own is not changed by its id', async () => {
  const feeds = ['BTC', 'ETH'].map((symbol) => ({ symbol, interval: '1m' as const, generate: {} }));
  const both = await openTestServer({ feeds }, { feeds: [testFeed(), testFeed('ETH')] });
  open.push(both);
  const reported = await openTestBot(both);
  open.push(reported);
  await reported.step(2);
  const body = { ...limit, symbol: 'ETH', order_type: 'limit', price: 20_000 } as const;
  const { order_id } = await reported.client.orders.place({ body });
  await reported.step(1);
  expect(await outcomeOf(reported, modifyOrder({ order_id }, { price: 30_000 }))).toBe(
    'owns_symbols',
  );
});
