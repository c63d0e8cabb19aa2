import { describe, expect, test } from 'vitest';
import { createLiveEnv } from '../../src/env/index.ts';
import {
  attachTpsl,
  bulkCancel,
  cancelOrder,
  checkIntent,
  launch,
  modifyOrder,
  placeOrder,
  setLeverage,
  stopLoss,
  toServiceRequest,
  type Intent,
} from '../../src/intents/index.ts';
import { classify } from '../../src/outcomes/index.ts';
import { createWireLink } from '../../src/runtime/links/createWireLink.ts';
import { startPaper } from '../wire/startPaper.ts';

type Road = 'rest' | 'socket';

/** A paper service and the link to it, as a bot has them. */
async function openLink() {
  const paper = await startPaper();
  const { http, socket } = paper;
  const roads: Road[] = [];
  const counted = {
    http: {
      ...http,
      request: (...asked: Parameters<typeof http.request>) => {
        roads.push('rest');
        return http.request(...asked);
      },
    },
    socket: {
      open: socket.open.bind(socket),
      send: socket.send.bind(socket),
      close: socket.close.bind(socket),
      command: (...asked: Parameters<typeof socket.command>) => {
        roads.push('socket');
        return socket.command(...asked);
      },
    },
  };
  const link = createWireLink({ ...counted, env: createLiveEnv(), market: 'frames' });
  await link.open({ onFrame: () => {}, onStatus: () => {} });
  let sent = 0;
  const send = async (intent: Intent, via: Road, idempotencyKey = `key-${(sent += 1)}`) => {
    const checked = checkIntent({ ...intent, via });
    if (!checked.ok) throw new Error(checked.fault.message);
    const made = toServiceRequest(checked.value, { idempotencyKey, resolve: () => undefined });
    if (!made.ok) throw new Error(made.reason);
    const exchange = await link.request(made.request);
    const verdict = classify(exchange);
    if (verdict.kind === 'accepted') return { kind: verdict.kind, record: verdict.record };
    return verdict;
  };
  return { ...paper, send, roads };
}

/** All that a wallet is, read by REST. */
async function stateOf({ client }: Awaited<ReturnType<typeof openLink>>) {
  return {
    account: await client.account.get(),
    balances: await client.account.balances(),
    orders: await client.orders.list(),
    history: await client.orders.history(),
    fills: await client.orders.fills(),
    positions: await client.positions.list(),
    legs: await client.positions.legs({ symbol: 'BTC' }),
    leverage: await client.leverage.get({ symbol: 'BTC' }),
    executions: await client.executions.list(),
  };
}

const limit = { symbol: 'BTC', side: 'buy', size: 0.1 } as const;

/** One intent of each kind that the stream has a command for, in an order in which all are accepted. */
const STORY: ReadonlyArray<readonly [string, Intent]> = [
  ['set_leverage', setLeverage('BTC', { leverage: 4, mode: 'cross' })],
  ['place_order', placeOrder.limit({ ...limit, price: 5_000, client_order_id: 'mine' })],
  ['modify_order', modifyOrder({ client_order_id: 'mine' }, { price: 5_001, size: 0.2 })],
  ['cancel_order', cancelOrder({ client_order_id: 'mine' })],
  ['place_order at market', placeOrder.market(limit)],
  ['attach_tpsl', attachTpsl('BTC', { stop_loss: stopLoss.price(9_000) })],
  ['place_order to rest', placeOrder.limit({ ...limit, price: 5_000 })],
  ['bulk_cancel', bulkCancel({ symbol: 'BTC' })],
  [
    'launch',
    launch.pacemaker({
      symbol: 'BTC',
      side: 'buy',
      total_size: 1,
      params: { duration_seconds: 60 },
    }),
  ],
];

describe('STR-6: the same intent over both transports', () => {
  test('has equal outcome records and the same effect', async () => {
    const rest = await openLink();
    const socket = await openLink();
    for (const [name, intent] of STORY) {
      const byRest = await rest.send(intent, 'rest');
      expect(byRest, name).toMatchObject({ kind: 'accepted' });
      expect(await socket.send(intent, 'socket'), name).toEqual(byRest);
    }
    expect(new Set(rest.roads)).toEqual(new Set(['rest']));
    expect(new Set(socket.roads)).toEqual(new Set(['socket']));
    await rest.controls.advance({ bars: 3, interval: '1m' });
    await socket.controls.advance({ bars: 3, interval: '1m' });
    const state = await stateOf(rest);
    expect(await stateOf(socket)).toEqual(state);
    expect(state.executions.items).toMatchObject([{ status: 'completed' }]);
    expect(state.orders.items).toHaveLength(0);
  });

  test('is refused by both with the same message', async () => {
    const { send } = await openLink();
    const wrong = attachTpsl('BTC', { stop_loss: stopLoss.price(9_000) });
    const byRest = await send(wrong, 'rest');
    expect(byRest).toMatchObject({ kind: 'rejected', fault: { code: 'no_position' }, status: 422 });
    expect(await send(wrong, 'socket')).toEqual(byRest);
  });
});

describe.each([
  ['rest', 'socket'],
  ['socket', 'rest'],
] as const)('AUTH-8: a key used by %s is known by %s', (first, second) => {
  test.each(STORY.filter(([name]) => name !== 'set_leverage'))(
    '%s: the first answer again, and no second effect',
    async (name, intent) => {
      const link = await openLink();
      for (const [before, earlier] of STORY) {
        if (before === name) break;
        await link.send(earlier, first);
      }
      const once = await link.send(intent, first, 'shared');
      const state = await stateOf(link);
      expect(await link.send(intent, second, 'shared')).toEqual(once);
      expect(await stateOf(link)).toEqual(state);
    },
  );

  test('and refused there for a different request', async () => {
    const { send } = await openLink();
    await send(placeOrder.limit({ ...limit, price: 5_000 }), first, 'shared');
    expect(
      await send(placeOrder.limit({ ...limit, price: 5_001 }), second, 'shared'),
    ).toMatchObject({ kind: 'rejected', fault: { code: 'idempotency_conflict' } });
  });
});

test('an intent without a command never uses the socket', () => {
  const checked = checkIntent({ kind: 'retire_tpsl', symbol: 'BTC', via: 'socket' });
  expect(checked).toMatchObject({ ok: false, fault: { details: { fields: [{ path: 'via' }] } } });
});
