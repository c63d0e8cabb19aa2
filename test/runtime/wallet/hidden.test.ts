import { afterEach, describe, expect, test } from 'vitest';
import type { StreamFrame } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import {
  attachTpsl,
  createMonitor,
  launch,
  launchBasket,
  placeOrder,
  stopLoss,
  type Intent,
} from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import type { Remains } from '../../../src/runtime/control/stopBot.ts';
import { createQuickEnv } from '../../env/createQuickEnv.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

/** Working orders stay hidden: absent from snapshots, and without events. */
function hiding(frame: StreamFrame): StreamFrame {
  const { channel, event } = frame;
  const hidden = frame as { data: Record<string, unknown> };
  const none = { positions: [], open_orders: [], executions: [], monitors: [] };
  if (event === 'snapshot' && channel !== 'tpsl.watch') {
    const retained = Object.entries(none).filter(([name]) => name in hidden.data);
    return { ...frame, data: { ...hidden.data, ...Object.fromEntries(retained) } } as StreamFrame;
  }
  const isShown = channel !== 'executions' && channel !== 'monitors';
  if (isShown && event !== 'order' && event !== 'position') return frame;
  return { ...frame, event: 'noted' } as unknown as StreamFrame;
}

const strategies = [
  { name: 'one', symbols: ['BTC'], wallet: 'main' },
  { name: 'two', symbols: ['ETH'], wallet: 'main' },
  { name: 'three', symbols: ['BTC', 'ETH'], wallet: 'second' },
] as const;
const PLACES = strategies.flatMap(({ name, symbols, wallet }) =>
  symbols.map((symbol) => ({ name, symbol, wallet })),
);

/** Of each kind that may add exposure, one; and a position with its legs. */
function everyKind(symbol: string): Intent[] {
  const size = { symbol, side: 'buy' as const };
  const patient = { ...size, total_size: 0.01, params: { duration_seconds: 86_400 } };
  const params = { period: 20, std_dev: 8 };
  const level = { indicator: 'bollinger', series: 'lower', interval: '1m', params } as const;
  return [
    placeOrder.limit({ ...size, size: 0.01, price: 20_000 }),
    placeOrder.limit({
      ...size,
      size: 0.01,
      price_from: { ...level, track: true },
    } as never),
    launch.pacemaker(patient),
    launchBasket({ legs: [{ algo: 'pacemaker', ...patient }] }),
    createMonitor({
      trigger: { type: 'price_level', symbol, price: 20_100, direction: 'below' },
      action: {
        type: 'order',
        request: { ...size, size: 0.01, order_type: 'limit', price: 20_000 },
      },
    }),
  ];
}

async function startHidden(
  over: TestBotOptions = {},
): Promise<{ server: TestServer; reported: TestBot }> {
  const { env = createLiveEnv() } = over;
  const server = await openTestServer(
    { connections: [{ label: 'second', balance: 100_000 }], balance: 100_000 },
    { feeds: [testFeed('BTC'), testFeed('ETH')], env },
  );
  open.push(server);
  const reported = await openTestBot(server, { strategies, receives: hiding, ...over, env });
  open.push(reported);
  await reported.step(2);
  for (const { name, symbol } of PLACES) {
    reported.propose(placeOrder.market({ symbol, side: 'buy', size: 0.02 }), name);
  }
  await reported.step(1);
  for (const { name, symbol } of PLACES) {
    reported.propose(attachTpsl(symbol, { stop_loss: stopLoss.price(20_000) }), name);
    for (const intent of everyKind(symbol)) reported.propose(intent, name);
  }
  await reported.step(1);
  return { server, reported };
}

/** As the service lists them, for both wallets. */
async function atService({ client }: TestBot) {
  const of = async (wallet: string) => {
    const { items: orders } = await client.orders.list({ wallet });
    const { items: executions } = await client.executions.list({ wallet });
    const { items: monitors } = await client.monitors.list({ wallet });
    const { items: positions } = await client.positions.list({ wallet });
    return {
      orders: orders.filter((order) => order.execution_id == null && !order.reduce_only).length,
      executions: [...new Set(executions.map(({ status }) => status))],
      monitors: [...new Set(monitors.map(({ status }) => status))],
      positions: positions.length,
    };
  };
  return [await of('main'), await of('second')];
}

const WORKS = { orders: 4, executions: ['running'], monitors: ['armed'], positions: 2 };
const ENDED = { orders: 0, executions: ['stopped'], monitors: ['stopped'], positions: 2 };
const FLAT = { ...ENDED, positions: 0 };
const PAUSED = { ...WORKS, executions: ['paused'], monitors: ['paused'] };

describe('accepted intents that no stream has shown', () => {
  test.each([
    ['pause', PAUSED],
    ['stop', ENDED],
    ['flatten', FLAT],
  ] as const)('is ended by the stop policy %s', async (policy, wanted) => {
    const { reported } = await startHidden();
    expect(await atService(reported)).toEqual([WORKS, WORKS]);
    let remains: Remains | undefined;
    await reported.bot.stop({ policy, onEnded: (given) => (remains = given) });
    expect(await atService(reported)).toEqual([wanted, wanted]);
    expect(remains?.unended).toEqual([]);
  });

  test.each([
    ['L2', ENDED],
    ['L3', FLAT],
  ] as const)('is ended by the kill level %s', async (level, wanted) => {
    const { reported } = await startHidden();
    await reported.bot.kill(level, 'a test');
    expect(await reported.bot.killed()).toEqual([]);
    expect(await atService(reported)).toEqual([wanted, wanted]);
  });

  test('is ended by a process that finds it in its journal only', async () => {
    const store = createMemoryStore();
    const { server, reported } = await startHidden({ store });
    await reported.bot.stop();
    const next = await openTestBot(server, { strategies, receives: hiding, store });
    open.push(next);
    await next.step(1);
    await next.bot.kill('L3', 'a test');
    expect(await next.bot.killed()).toEqual([]);
    expect(await atService(next)).toEqual([FLAT, FLAT]);
  });

  test('is listed as working if the policy leaves it', async () => {
    const { reported } = await startHidden();
    let remains: Remains | undefined;
    await reported.bot.stop({ onEnded: (given) => (remains = given) });
    const count = remains?.working.map(({ orders, executions }) => [
      orders.length,
      executions.length,
    ]);
    expect(count).toEqual([
      [4, 4],
      [4, 4],
    ]);
  });
});

const failing = { kind: 'no_answer', reason: 'timeout' } as const;

describe('failed or unconfirmed cancels', () => {
  const cannot: ReadonlyArray<readonly [string, RegExp, number, RegExp]> = [
    [
      'stopped',
      /^executions\.stop$/,
      4,
      /^(main|second): \S+, pacemaker buy 0\.01 (BTC|ETH), running$/,
    ],
    ['cancelled', /^orders\.cancel$/, 8, /^(main|second): \S+, limit buy 0\.01 (BTC|ETH) at \d+/],
    ['taken down', /^monitors\.stop$/, 4, /^(main|second): monitor \S+ \(.+\), armed$/],
    ['closed', /^positions\.close$/, 4, /^(main|second): position long 0\.02\d* (BTC|ETH) at \d+/],
    ['read', /\.list$/, 2, /^(main|second): working orders can't be read: timeout$/],
  ];
  test.each(cannot)(
    'if nothing can be %s, a kill and a stop list it',
    async (_what, endpoint, count, line) => {
      let isBroken = false;
      const { reported } = await startHidden({
        env: createQuickEnv(8),
        wire: (request, send) => (isBroken && endpoint.test(request.endpoint) ? failing : send()),
      });
      isBroken = true;
      await reported.bot.kill('L3', 'a test');
      const left = await reported.bot.killed();
      expect(left.filter((text) => line.test(text)).length).toBeGreaterThanOrEqual(count);
      let remains: Remains | undefined;
      await reported.bot.stop({
        policy: 'flatten',
        limitMs: 12_000,
        onEnded: (given) => (remains = given),
      });
      const named = remains!.unended.filter((text) => line.test(text));
      expect(named.length).toBeGreaterThanOrEqual(count);
    },
  );

  test('work cut off by L4 is listed as open', async () => {
    const { reported } = await startHidden();
    await reported.bot.kill('L4', 'a test');
    expect(await reported.bot.killed()).toHaveLength(20);
  });
});
