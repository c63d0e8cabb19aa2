/** A spot holding before and after its strategy moves to another symbol, in everything that an operator reads. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WholeView } from '../../src/operate/state/index.ts';
import type { Client } from '../../src/wire/index.ts';
import { openReceiver, type Receiver } from '../operate/notify/receivers.ts';
import { openClient } from './openClient.ts';
import { openWorkshop, type Service, type Started, type Workshop } from './startProcess.ts';

const SECOND = 'wallet="second"';
const LIMIT = { timeout: 30_000 };

/** Buys once for 1,000 where its symbol is spot, and leaves an order far below the market. */
const holder = `import { defineStrategy, placeOrder } from 'trimtab';
import { concatMap, map, take } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'holder', contract: 1, description: 'Buys once.', scopes: ['trade'],
  params: z.object({}),
  state: z.object({ isDone: z.boolean().default(false) }),
  setup: (ctx) => ctx.candles(ctx.symbol, '1m').pipe(
    concatMap(({ close }) => {
      if (ctx.liveness() !== 'live' || ctx.state.get().isDone) return [];
      ctx.state.set({ isDone: true });
      const { symbol } = ctx;
      const { roundSize, roundPrice } = ctx.instrument(symbol);
      const size = roundSize(1_000 / close);
      const price = roundPrice(close * 0.5);
      return [
        placeOrder.market({ symbol, side: 'buy', size }),
        placeOrder.limit({ symbol, side: 'buy', size, price }),
      ];
    }),
  ),
});
`;
const idle = `import { defineStrategy, placeOrder } from 'trimtab';
import { ignoreElements } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'idle', contract: 1, description: 'Does nothing.', scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) => ctx.candles(ctx.symbol, '1m').pipe(ignoreElements()),
});
`;

const paper = `paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: a, bars: 60000, start_price: 60000 } }
    - { symbol: SOL/USDC, interval: 1m, generate: { seed: c, bars: 60000, start_price: 150, volume: 4000 } }
  connections: [ { label: second, balance: 20000 } ]
  balance: 20000
  warmup: 300
`;

let workshop: Workshop;
let service: Service;
let receiver: Receiver;
let client: Client;
let closeClient: () => Promise<void>;

beforeEach(async () => {
  workshop = openWorkshop('spot');
  workshop.write('svc.yaml', paper);
  workshop.write('holder.ts', holder);
  workshop.write('idle.ts', idle);
  const args = ['paper', '--config', 'svc.yaml', '--port', '0', '--speed', '60'];
  const [line] = await once(createInterface(workshop.start(args).child.stdout!), 'line');
  service = JSON.parse(line as string) as Service;
  receiver = await openReceiver();
  ({ client, close: closeClient } = openClient(service));
}, 120_000);

afterEach(async () => {
  await closeClient();
  await receiver.close();
  workshop.close();
});

const environment = () => ({ TRIMTAB_TEST_SECRET: service.secret, HOOK: receiver.url });

/** The strategy on the second wallet trades this symbol. */
const botOf = (symbol: string, plugin: string): string => `name: held
link:
  kind: paper_service
  base_url: ${service.base_url}
  ws_url: ${service.ws_url}
  key_id: ${service.key_id}
  secret: { env: TRIMTAB_TEST_SECRET }
strategies:
  - { name: perps, use: ./idle.ts, symbols: [BTC], wallet: main }
  - { name: spot, use: ./${plugin}, symbols: [${symbol}], wallet: second }
guards: { daily_loss_limit: 500, price_collar_bps: 6000 }
journal: ./bot.sqlite
stop_policy: leave
operate:
  listen: 127.0.0.1:0
  notify:
    - { kind: webhook, url: { env: HOOK }, template: plain, min: report, digest_seconds: 1 }
`;

interface Running {
  bot: Started;
  state(): Promise<WholeView>;
  /** The first row of this name with this label. */
  metric(name: string, label?: string): Promise<number>;
}

async function start(): Promise<Running> {
  const bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], environment());
  const line = /operator's page at (\S+)/;
  await expect.poll(() => line.exec(bot.text())?.[1], LIMIT).toBeDefined();
  const read = (path: string) => fetch(new URL(path, line.exec(bot.text())![1]!));
  await expect.poll(async () => (await read('/readyz')).status, LIMIT).toBe(200);
  return {
    bot,
    state: async () => (await (await read('/api/state')).json()) as WholeView,
    async metric(name, label = '') {
      const rows = (await (await read('/metrics')).text()).split('\n');
      const found = rows.find((row) => row.startsWith(`trimtab_${name}{`) && row.includes(label));
      return Number(found?.split(' ').at(-1));
    },
  };
}

async function stop({ bot }: Running): Promise<string> {
  bot.child.kill('SIGTERM');
  await once(bot.child, 'close');
  return bot.text();
}

async function command(...args: string[]): Promise<{ code: number | null; text: string }> {
  const started = workshop.start(args, environment());
  const [code] = (await once(started.child, 'close')) as [number | null];
  return { code, text: started.text() };
}

const alerts = (): string[] =>
  receiver.got.flatMap(({ body }) =>
    (body['alerts'] as Array<{ key: string; state: string }>).map(
      ({ key, state }) => `${state} ${key}`,
    ),
  );

test('a spot holding is shown with its owner, and without one it is an orphan everywhere', async () => {
  workshop.write('bot.yaml', botOf('SOL/USDC', 'holder.ts'));
  const first = await start();
  const positionsOf = async (one: Running) => (await one.state()).blocks.positions;
  await expect.poll(() => positionsOf(first), LIMIT).toHaveLength(1);
  await expect.poll(async () => (await first.state()).blocks.orders, LIMIT).toHaveLength(1);
  const [held] = await positionsOf(first);
  expect(held).toMatchObject({
    wallet: 'second',
    symbol: 'SOL/USDC',
    side: 'long',
    owner: 'spot',
    ownership: 'owned',
  });
  expect(held!.notional).toBeGreaterThan(800);
  expect(held!.entry_price).toBeGreaterThan(0);
  expect(held!.unrealized_pnl).not.toBeNull();
  const second = (await first.state()).blocks.wallets.find(({ wallet }) => wallet === 'second')!;
  expect(second.leverage).toBeGreaterThan(0.03);
  expect(await first.metric('position_notional', 'SOL/USDC')).toBeGreaterThan(800);
  expect((await command('status', 'bot.yaml')).code).toBe(0);
  const doctor = await command('doctor', 'bot.yaml');
  expect(doctor.text).toMatch(/second: 1 open, 1 order or execution/);
  expect(await stop(first)).toMatch(/open: second: long \d+\.\d+ SOL\/USDC, worth \d+/);

  workshop.write('bot.yaml', botOf('BTC', 'idle.ts'));
  const moved = await start();
  // The service's own figure moves with the market in the meantime, by far less than what is held.
  const gap = async (): Promise<number> => {
    const { equity } = await client.account.get({ wallet: 'second' });
    const rows = (await moved.state()).blocks.wallets;
    return Math.abs(rows.find(({ wallet }) => wallet === 'second')!.equity - equity);
  };
  await expect.poll(gap, LIMIT).toBeLessThan(30);
  expect(await moved.metric('day_pnl', SECOND)).toBeGreaterThan(-200);
  const { blocks } = await moved.state();
  expect(blocks.positions).toMatchObject([
    { symbol: 'SOL/USDC', ownership: 'orphan', owner: null, entry_price: null },
  ]);
  expect(blocks.orders).toMatchObject([{ wallet: 'second', symbol: 'SOL/USDC', owner: null }]);
  expect(blocks.bot.closed_wallets).toMatchObject([{ wallet: 'second' }]);
  expect(await moved.metric('orphan_positions', SECOND)).toBe(1);
  expect(await moved.metric('entries_open')).toBe(0);
  await expect.poll(async () => (await command('status', 'bot.yaml')).code, LIMIT).toBe(1);
  expect((await command('status', 'bot.yaml')).text).toContain(
    "entries on second are closed: the position in SOL/USDC on second was spot's",
  );
  const bad = await command('doctor', 'bot.yaml');
  expect(bad.text).toMatch(/second: long \d+\.\d+ SOL\/USDC, which no strategy owns/);
  expect(bad.text).toMatch(/second: 1 open/);
  await expect.poll(alerts, LIMIT).toContain('begun orphan/second/SOL/USDC');
  expect(alerts().filter((key) => key.includes('loss/'))).toEqual([]);
  expect(await stop(moved)).toMatch(/open: second: long .* SOL\/USDC, worth \d+.*no strategy owns/);
}, 180_000);
