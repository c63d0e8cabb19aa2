import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/env/index.ts';
import {
  attachTpsl,
  createMonitor,
  launch,
  launchBasket,
  placeOrder,
  stopLoss,
  type Intent,
} from '../../src/intents/index.ts';
import { createMemoryStore } from '../../src/journal/index.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { runCut, type AskService, type CutMember, type CutRun } from './runCut.ts';

/** What a kill level and a stop policy promise, asked of the service: three strategies, two wallets, two symbols. */

const MEMBERS: readonly CutMember[] = [
  { name: 'both', wallet: 'main', symbols: ['BTC', 'ETH'] },
  { name: 'first', wallet: 'side', symbols: ['BTC'] },
  { name: 'second', wallet: 'side', symbols: ['ETH'] },
];
const WALLETS = ['main', 'side'];
const WORK_MINUTES = 6;

const decideFrom =
  (seed: string, until: number): CutRun['decide'] =>
  ({ name }, { symbol, close, time }) => {
    const random = createRandom(`${seed} ${name} ${symbol} ${time}`);
    const pick = <T>(...all: T[]): T => all[Math.floor(random.next() * all.length)]!;
    if (time >= until) return [];
    const side = pick('buy', 'sell');
    const far = Math.round(close * (side === 'buy' ? 0.8 : 1.2));
    const params = { duration_seconds: 3_600 };
    const flags = pick({}, { reduce_only: false }, { reduce_only: true });
    const waits = {
      type: 'price_level',
      symbol,
      price: Math.round(close * 2),
      direction: 'above',
    } as const;
    return Array.from({ length: pick(1, 2) }, () =>
      pick<() => Intent>(
        () => placeOrder.market({ symbol, side, size: pick(0.03, 0.04) }),
        () =>
          placeOrder.market({
            symbol,
            side,
            size: 0.03,
            stop_loss: stopLoss.price(
              side === 'buy' ? Math.round(close * 0.5) : Math.round(close * 1.5),
            ),
          }),
        () => placeOrder.limit({ symbol, side, size: 0.03, price: far, ...flags }),
        () => placeOrder.limit({ symbol, side, size: 0.03, price: far }),
        // None that reduces: it would go on, and close a position that a level leaves.
        () =>
          launch.pacemaker({
            symbol,
            side,
            total_size: 0.2,
            params,
            ...pick({}, { reduce_only: false }),
          }),
        () =>
          launchBasket({ legs: [{ algo: 'pacemaker', symbol, side, total_size: 0.2, params }] }),
        () =>
          createMonitor({
            trigger: waits,
            action: {
              type: 'order',
              request: { order_type: 'market', symbol, side, size: 0.03, ...flags },
            },
          }),
        () =>
          attachTpsl(symbol, {
            stop_loss: stopLoss.price(pick(Math.round(close * 0.5), Math.round(close * 1.5))),
          }),
      )(),
    );
  };

interface Left {
  orders: Array<Record<string, unknown>>;
  executions: Array<Record<string, unknown>>;
  monitors: Array<Record<string, unknown>>;
  positions: Array<Record<string, unknown>>;
}

function readLeft(ask: AskService, wallet: string): Left {
  const items = (endpoint: string) =>
    (ask({ endpoint, wallet } as Parameters<AskService>[0]) as { items: Left['orders'] }).items;
  return {
    orders: items('orders.list'),
    executions: items('executions.list'),
    monitors: items('monitors.list'),
    positions: items('positions.list'),
  };
}

const isForeign = (one: Record<string, unknown>): boolean =>
  String(one['client_order_id'] ?? one['name'] ?? '').startsWith('foreign');
const mayAdd = ({ orders, executions, monitors }: Left): string[] => [
  ...orders
    .filter((one) => one['reduce_only'] !== true && one['execution_id'] == null && !isForeign(one))
    .map((one) => `order ${String(one['order_id'])}`),
  ...executions
    .filter(
      (one) =>
        one['reduce_only'] !== true &&
        ['running', 'paused', 'interrupted'].includes(String(one['status'])),
    )
    .map((one) => `execution ${String(one['execution_id'])} ${String(one['status'])}`),
  ...monitors
    .filter((one) => ['armed', 'paused'].includes(String(one['status'])))
    .filter(
      (one) =>
        (one['action'] as { request: Record<string, unknown> }).request['reduce_only'] !== true,
    )
    .map((one) => `monitor ${String(one['monitor_id'])} ${String(one['status'])}`),
];

const drawn = fc.record({
  seed: fc.integer({ min: 0, max: 1e9 }).map(String),
  ending: fc.constantFrom('L2', 'L3', 'leave', 'pause', 'stop', 'flatten'),
  isCut: fc.boolean(),
});

test('after a kill or a stop the service has what its words leave, of every wallet and symbol', async () => {
  const tried = new Tried();
  await holdLaw(30, drawn, async ({ seed, ending, isCut }) => {
    const store = createMemoryStore();
    const isKill = ending === 'L2' || ending === 'L3';
    const before = new Map<string, Left>();
    const start = Date.UTC(2026, 0, 5) + 5 * 60_000;
    await runCut({
      seed,
      minutes: isKill ? WORK_MINUTES + 5 : WORK_MINUTES,
      guards: {},
      members: MEMBERS,
      decide: decideFrom(seed, start + (WORK_MINUTES - 2) * 60_000),
      cuts: new Map(isCut ? [[WORK_MINUTES - 1, 'killed']] : []),
      commands: new Map(isKill ? [[WORK_MINUTES, (bot) => bot.kill(ending, 'a test')]] : []),
      outside(minute, ask) {
        if (minute === 2)
          for (const wallet of WALLETS)
            ask({
              endpoint: 'orders.place',
              wallet,
              body: JSON.stringify({
                symbol: 'ETH',
                side: 'buy',
                size: 1,
                order_type: 'limit',
                price: 100,
                client_order_id: `foreign-${wallet}`,
              }),
            });
        if (minute === WORK_MINUTES)
          for (const wallet of WALLETS) before.set(wallet, readLeft(ask, wallet));
      },
      openStore: () => store,
      ending: {
        policy: isKill ? 'leave' : (ending as 'stop'),
        onStopped(ask) {
          for (const wallet of WALLETS) {
            const was = before.get(wallet)!;
            const left = readLeft(ask, wallet);
            const about = `${ending} ${wallet}`;
            const adding = mayAdd(left);
            tried.take(...(mayAdd(was).length > 0 ? ['entries'] : []));
            tried.take(...(was.positions.length > 1 ? ['positions'] : []));
            const idsOf = (all: Left['orders']) => all.map((one) => one['order_id']).toSorted();
            const isExit = (one: Record<string, unknown>) =>
              one['reduce_only'] === true && one['execution_id'] == null;
            expect(left.orders.filter(isForeign).length, about).toBe(1);
            if (ending === 'leave') {
              expect(adding, about).toEqual(mayAdd(was));
            } else if (ending === 'pause') {
              expect(
                adding.filter((line) => /running|armed/.test(line)),
                about,
              ).toEqual([]);
              expect(
                adding.map((line) => line.split(' ')[1]),
                about,
              ).toEqual(mayAdd(was).map((line) => line.split(' ')[1]));
            } else expect(adding, about).toEqual([]);
            const isFlat = ending === 'L3' || ending === 'flatten';
            if (isFlat) expect(left.positions, about).toEqual([]);
            else {
              const held = (all: Left['positions']) => all.map((one) => one['symbol']).toSorted();
              expect(held(left.positions), about).toEqual(held(was.positions));
              expect(idsOf(left.orders.filter(isExit)), about).toEqual(
                idsOf(was.orders.filter(isExit)),
              );
            }
          }
        },
      },
    });
  });
  expect(tried.rare(['entries', 'positions'], 10)).toEqual([]);
});
