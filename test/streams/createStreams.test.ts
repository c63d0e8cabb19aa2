import * as fc from 'fast-check';
import { config, firstValueFrom, type Observable } from 'rxjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FillRecord } from '../../src/contract/records.ts';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import type { Subscription } from '../../src/env/Link.ts';
import {
  createStreams,
  type AccountModel,
  type StreamFault,
  type Streams,
} from '../../src/streams/index.ts';
import { account, accountSnapshot, fill, order, position } from './records.ts';
import { ScriptedLink } from './ScriptedLink.ts';

const subscription: Subscription = { channel: 'account.state', params: { wallet: 'main' } };

async function setUp(snapshot: () => object = accountSnapshot) {
  const link = new ScriptedLink();
  link.snapshots = () => snapshot();
  const streams = createStreams({ link, env: createVirtualEnv() });
  const faults: StreamFault[] = [];
  streams.faults$.subscribe((fault) => faults.push(fault));
  await streams.open();
  return { link, streams, faults, wallet: streams.wallet('main') };
}

const latest = (streams: Streams): Promise<AccountModel> =>
  firstValueFrom(streams.wallet('main').account$);

describe('STR-2: a wallet’s account', () => {
  test('the snapshot makes the model, and live records change it', async () => {
    const { link, wallet } = await setUp(() =>
      accountSnapshot({ positions: [position(1, 'ETH')], open_orders: [order('ord_1')] }),
    );
    const models: AccountModel[] = [];
    wallet.account$.subscribe((model) => models.push(model));
    link.say(subscription, 'position', position(2));
    link.say(subscription, 'balance', { asset: 'USDC', total: 900, available: 800, held: 100 });
    link.say(subscription, 'order', order('ord_2'));
    link.say(subscription, 'order', order('ord_1', 'cancelled'));
    const model = models.at(-1)!;
    expect(model.account).toEqual(account);
    expect([...model.positions.keys()]).toEqual(['ETH', 'BTC']);
    expect(model.balances.get('USDC')?.total).toBe(900);
    expect([...model.openOrders.keys()]).toEqual(['ord_2']);
    expect(models.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    expect(models[0]!.positions.size).toBe(1);
  });

  test('a position of size 0 is flat: it leaves the model, and its stream says null', async () => {
    const { link, wallet, streams } = await setUp();
    const seen: Array<number | null> = [];
    wallet.position('BTC').subscribe((record) => seen.push(record?.size ?? null));
    link.say(subscription, 'position', position(2));
    link.say(subscription, 'position', position(5, 'ETH'));
    link.say(subscription, 'position', position(0));
    link.say(subscription, 'position', position(0));
    expect(seen).toEqual([null, 2, null]);
    expect([...(await latest(streams)).positions.keys()]).toEqual(['ETH']);
  });

  test('an order in a state that we do not know stays (ERR-2)', async () => {
    const { link, streams, wallet } = await setUp();
    wallet.account$.subscribe();
    link.say(subscription, 'order', order('ord_1', 'suspended'));
    expect((await latest(streams)).openOrders.get('ord_1')?.status).toBe('suspended');
  });

  test('a subscriber finds an event already in the model', async () => {
    const { link, wallet } = await setUp();
    let model: AccountModel | undefined;
    wallet.orders$.subscribe(({ order_id: id }) => {
      expect(model?.openOrders.has(id)).toBe(true);
    });
    wallet.account$.subscribe((next) => (model = next));
    link.say(subscription, 'order', order('ord_1'));
    expect(model?.openOrders.size).toBe(1);
    expect.assertions(2);
  });

  test('each fill passes once, repeated frames and later reads included', async () => {
    const { link, wallet } = await setUp();
    const seen: FillRecord[] = [];
    wallet.fills$.subscribe((record) => seen.push(record));
    const frame = link.next(subscription, 'fill', fill('fil_1'));
    link.deliver(frame);
    link.deliver(frame);
    link.say(subscription, 'fill', fill('fil_1'));
    wallet.admitFills([fill('fil_0'), fill('fil_1')]);
    link.say(subscription, 'fill', fill('fil_2'));
    expect(seen.map((record) => record.fill_id)).toEqual(['fil_1', 'fil_0', 'fil_2']);
  });

  test('STR-2: a fill of many thousand before passes no second time, neither read nor as a frame', async () => {
    const { link, wallet } = await setUp();
    let passed = 0;
    let inTurn = 0;
    wallet.fills$.subscribe(() => passed++);
    wallet.fillsInTurn$.subscribe(() => inTurn++);
    const fills = Array.from({ length: 20_000 }, (_none, at) => fill(`fil_${at}`));
    for (const one of fills) link.say(subscription, 'fill', one);
    wallet.admitFills(fills);
    for (const one of fills.slice(0, 10)) link.say(subscription, 'fill', one);
    expect([passed, inTurn]).toEqual([20_000, 20_000]);
  });

  test('a fill whose frame comes late still passes, and the model is not set back', async () => {
    const { link, wallet, streams, faults } = await setUp();
    const seen: string[] = [];
    wallet.fills$.subscribe((record) => seen.push(record.fill_id));
    link.snapshots = () => null;
    const late = [
      link.next(subscription, 'fill', fill('fil_1')),
      link.next(subscription, 'position', position(1)),
    ];
    link.say(subscription, 'position', position(2));
    for (const frame of late) link.deliver(frame);
    expect(seen).toEqual(['fil_1']);
    const model = await latest(streams);
    expect(model.positions.get('BTC')?.size).toBe(2);
    expect(model.complete).toBe(false);
    expect(faults).toMatchObject([{ kind: 'gap', expected: 2, got: 4 }]);
  });

  test('an order’s frame that comes after a later one of it does not pass, and one of another order does', async () => {
    const { link, wallet } = await setUp();
    const seen: unknown[] = [];
    wallet.orders$.subscribe(({ order_id: id, status }) => seen.push([id, status]));
    link.snapshots = () => null;
    const late = ['ord_1', 'ord_2'].map((id) =>
      link.next(subscription, 'order', { ...order(id), status: 'open' }),
    );
    link.say(subscription, 'order', { ...order('ord_1'), status: 'filled' });
    for (const frame of late) link.deliver(frame);
    expect(seen).toEqual([
      ['ord_1', 'filled'],
      ['ord_2', 'open'],
    ]);
  });

  test('funding and liquidations pass', async () => {
    const { link, wallet } = await setUp();
    const seen: unknown[] = [];
    wallet.funding$.subscribe((event) => seen.push(event));
    wallet.liquidations$.subscribe((event) => seen.push(event));
    link.say(subscription, 'funding', { symbol: 'BTC', amount: 0.1, time: 1 });
    link.say(subscription, 'liquidation', { symbol: 'BTC', time: 2 });
    expect(seen).toMatchObject([{ amount: 0.1 }, { time: 2 }]);
  });

  test('one wallet is one subscription, while it has subscribers', async () => {
    const { link, wallet, streams } = await setUp();
    const all: Observable<unknown>[] = [
      wallet.account$,
      wallet.fills$,
      wallet.position('BTC'),
      wallet.orders$,
    ];
    const subscriptions = all.map((stream) => stream.subscribe());
    expect(streams.wallet('main')).toBe(wallet);
    expect(link.asked).toEqual(['+ account.state {"wallet":"main"}']);
    for (const held of subscriptions) held.unsubscribe();
    expect(link.asked.at(-1)).toBe('- account.state {"wallet":"main"}');
  });

  test('STR-5: a subscription that names no wallet is the session’s own and no other’s', () => {
    const env = createVirtualEnv();
    const streams = createStreams({ link: new ScriptedLink(), env, defaultWallet: 'main' });
    const subscriptions = [{}, { wallet: 'main' }, { wallet: 'second' }].map((params) => ({
      channel: 'tpsl.watch',
      params,
    }));
    const isOf = (id: string) => subscriptions.map((one) => streams.wallet(id).isOf(one));
    expect(isOf('main')).toEqual([true, false, false]);
    expect(isOf('second')).toEqual([false, false, true]);
  });

  test('the session’s own wallet is subscribed without naming it', async () => {
    const link = new ScriptedLink();
    const options = { link, env: createVirtualEnv(), defaultWallet: 'main' };
    createStreams(options).wallet('main').account$.subscribe();
    expect(link.asked).toEqual(['+ account.state {}']);
  });
});

describe('STR-7: resynchronising', () => {
  test('a fresh snapshot replaces the model, whatever was lost', async () => {
    let snapshot = accountSnapshot({ positions: [position(1)] });
    const { link, streams, wallet } = await setUp(() => snapshot);
    const completeness: boolean[] = [];
    wallet.account$.subscribe((model) => completeness.push(model.complete));
    link.lose();
    expect((await latest(streams)).complete).toBe(false);
    snapshot = accountSnapshot({ positions: [position(3, 'ETH')] });
    link.reopen([subscription]);
    const model = await latest(streams);
    expect([...model.positions]).toEqual([['ETH', position(3, 'ETH')]]);
    expect(completeness).toEqual([true, false, true]);
  });

  test('a repeated snapshot is a duplicate, and later events still count', async () => {
    const { link, streams, wallet } = await setUp();
    wallet.account$.subscribe();
    link.say(subscription, 'position', position(2));
    link.deliver(link.delivered[0]!);
    expect((await latest(streams)).positions.size).toBe(1);
  });

  test('a service that restarts a sequence by itself is followed', async () => {
    const { link, streams, wallet, faults } = await setUp();
    wallet.account$.subscribe();
    link.market.advanceTo(5_000);
    link.subscribe(subscription);
    link.say(subscription, 'position', position(4));
    expect((await latest(streams)).positions.get('BTC')?.size).toBe(4);
    expect(faults).toEqual([]);
  });

  test('resync requests exactly the subscriptions in use', async () => {
    const { link, streams, wallet } = await setUp(() => accountSnapshot({ executions: [] }));
    wallet.account$.subscribe();
    wallet.executions$.subscribe().unsubscribe();
    const before = link.asked.length;
    streams.resync();
    expect(link.asked.slice(before)).toEqual(['+ account.state {"wallet":"main"}']);
  });

  test('with frames lost, repeated and swapped, the model equals the service’s after one more snapshot, and every delivered fill passed once', () => {
    const step = fc.record({
      fate: fc.constantFrom('ok', 'ok', 'ok', 'lose', 'repeat', 'swap', 'reconnect'),
      event: fc.constantFrom('position', 'order', 'fill'),
      size: fc.integer({ min: 0, max: 3 }),
      symbol: fc.constantFrom('BTC', 'ETH'),
    });
    return fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50 }), async (steps) => {
        const positions = new Map<string, ReturnType<typeof position>>();
        const orders = new Map<string, ReturnType<typeof order>>();
        const { link, streams, wallet } = await setUp(() =>
          accountSnapshot({
            positions: [...positions.values()],
            open_orders: [...orders.values()],
          }),
        );
        const fills: string[] = [];
        const sentFills: string[] = [];
        let model: AccountModel | undefined;
        wallet.account$.subscribe((next) => (model = next));
        wallet.fills$.subscribe((record) => fills.push(record.fill_id));
        let held: ReturnType<typeof link.next> | null = null;
        for (const [index, { fate, event, size, symbol }] of steps.entries()) {
          link.market.advanceTo((index + 1) * 1_000);
          const id = `${event}_${index}`;
          const status = size === 0 ? 'filled' : 'open';
          const data =
            event === 'position'
              ? position(size, symbol)
              : event === 'order'
                ? order(`ord_${size}`, status)
                : fill(id);
          if (event === 'position') positions.set(symbol, position(size, symbol));
          if (event === 'order' && status === 'open')
            orders.set(`ord_${size}`, order(`ord_${size}`));
          const frame = link.next(subscription, event, data);
          if (fate !== 'lose' && event === 'fill') sentFills.push(id);
          if (fate === 'swap' && held === null) {
            held = frame;
            continue;
          }
          if (fate !== 'lose') link.deliver(frame);
          if (fate === 'repeat') link.deliver(frame);
          if (held !== null) link.deliver(held);
          held = null;
          if (fate === 'reconnect') {
            link.lose();
            link.reopen([subscription]);
          }
        }
        if (held !== null) link.deliver(held);
        streams.resync();
        expect(model?.complete).toBe(true);
        const expected = [...positions].filter(([, record]) => record.size !== 0);
        expect(new Map(model?.positions)).toEqual(new Map(expected));
        expect(new Map(model?.openOrders)).toEqual(orders);
        expect([...fills].sort()).toEqual([...new Set(sentFills)].sort());
      }),
    );
  });
});

describe('watches, executions, monitors', () => {
  const execution = (id: string, status = 'running', reason: string | null = null) => ({
    execution_id: id,
    status,
    reason,
  });
  const executions: Subscription = { channel: 'executions', params: { wallet: 'main' } };

  test('EXE-8: events pass with their record, the ended one with its reason', async () => {
    const { link, wallet } = await setUp(() => ({ executions: [execution('exe_1')] }));
    const seen: string[] = [];
    wallet.executions$.subscribe(({ event, execution: { execution_id: id, reason } }) =>
      seen.push(`${event} ${id} ${String(reason)}`),
    );
    link.say(executions, 'started', execution('exe_2'));
    link.say(executions, 'ended', execution('exe_2', 'stopped', 'sweep_limit'));
    expect(seen).toEqual(['snapshot exe_1 null', 'started exe_2 null', 'ended exe_2 sweep_limit']);
  });

  test('EXE-9: a warning of stale data passes, and the pause that follows has its reason', async () => {
    const { link, wallet } = await setUp(() => ({ executions: [] }));
    const seen: string[] = [];
    wallet.executions$.subscribe(({ event, execution: { status, reason } }) =>
      seen.push(`${event} ${String(status)} ${String(reason)}`),
    );
    link.say(executions, 'stale_warning', execution('exe_1'));
    link.say(executions, 'status', execution('exe_1', 'paused', 'stale_data'));
    expect(seen).toEqual(['stale_warning running null', 'status paused stale_data']);
  });

  test('the model holds running executions, and the last 64 ended ones', async () => {
    const { link, wallet } = await setUp(() => ({ executions: [execution('exe_0')] }));
    let model = new Map<string, unknown>() as ReadonlyMap<string, unknown>;
    wallet.executionsModel$.subscribe((next) => (model = next));
    for (let index = 1; index <= 100; index++) {
      link.say(executions, 'ended', execution(`exe_${index}`, 'completed'));
    }
    expect(model.size).toBe(65);
    expect(model.has('exe_0')).toBe(true);
    expect([model.has('exe_36'), model.has('exe_37')]).toEqual([false, true]);
  });

  test('what an outage ended is gone, with its last record; the rest and what had ended is not', async () => {
    const named = (id: string) => ({ ...execution(id), client_execution_id: 'renamed' });
    const row = (leg_id: string, status = 'armed') => ({ watch_kind: 'leg', leg_id, status });
    const shown = { rows: [row('leg_1'), row('leg_2'), row('leg_3', 'retired')] };
    const lists = {
      executions: [execution('exe_1'), execution('exe_2'), named('exe_3')],
      monitors: [
        { monitor_id: 'mon_1', status: 'paused' },
        { monitor_id: 'mon_2', status: 'stopped' },
      ],
    };
    let snapshot: object = { ...shown, ...lists };
    const { link, wallet } = await setUp(() => snapshot);
    const seen: string[] = [];
    wallet.executions$.subscribe(({ event, execution: { execution_id: id, status } }) =>
      seen.push(`${event} ${id} ${status}`),
    );
    wallet.watch$.subscribe(({ event, row: { leg_id: id } }) => seen.push(`${event} ${id}`));
    wallet.monitors$.subscribe(({ event, monitor }) =>
      seen.push(`${event} ${monitor.monitor_id} ${monitor.status}`),
    );
    link.say(executions, 'status', execution('exe_2', 'paused'));
    link.say(executions, 'ended', execution('exe_4', 'stopped'));
    seen.splice(0);
    snapshot = { rows: [row('leg_2')], executions: [named('exe_9')], monitors: [] };
    link.lose();
    link.reopen([
      executions,
      { channel: 'tpsl.watch', params: { wallet: 'main' } },
      { channel: 'monitors', params: { wallet: 'main' } },
    ]);
    expect(seen).toEqual([
      'snapshot exe_9 running',
      'gone exe_1 running',
      'gone exe_2 paused',
      'snapshot leg_2',
      'gone leg_1',
      'gone mon_1 paused',
    ]);
  });

  test.each([
    ['tpsl.watch', 'watchRefused$', 'watch$', { rows: [] }],
    ['executions', 'executionsRefused$', 'executions$', { executions: [] }],
    ['monitors', 'monitorsRefused$', 'monitors$', { monitors: [] }],
  ] as const)(
    'a refusal of %s is known at once, until a snapshot comes or nobody listens',
    async (channel, refused, events, snapshot) => {
      const { link, wallet } = await setUp();
      link.snapshots = () => null;
      const of = { channel, params: { wallet: 'main' } };
      const refuse = (isAskedAgain: true | false): void => {
        const error = { code: 'insufficient_scope', message: 'm' } as never;
        const again = isAskedAgain ? { isAskedAgain } : {};
        link.listener.onFault?.({ kind: 'refused', subscription: of, error, ...again });
      };
      const seen: unknown[] = [];
      const listen = () => wallet[refused].subscribe(() => seen.push(1));
      let listening = listen();
      refuse(true);
      expect(seen, 'the link asks again').toEqual([]);
      refuse(false);
      expect(seen).toEqual([1]);
      const second = listen();
      expect(seen, 'a later listener knows, too').toEqual([1, 1]);
      second.unsubscribe();
      listening.unsubscribe();
      // Whoever comes now asks anew.
      listening = listen();
      expect(seen).toEqual([1, 1]);
      refuse(false);
      expect(seen).toEqual([1, 1, 1]);
      const others = (wallet[events] as Observable<unknown>).subscribe();
      link.say(of, 'snapshot', snapshot);
      listen().unsubscribe();
      expect(seen, 'the snapshot has come').toEqual([1, 1, 1]);
      others.unsubscribe();
      listening.unsubscribe();
    },
  );

  test('STR-3: watches by leg and by entry; MON-1: monitors', async () => {
    const row = { watch_kind: 'entry', watch_id: 'wat_1', symbol: 'BTC', status: 'armed' };
    const monitor = { monitor_id: 'mon_1', status: 'armed' };
    const { link, wallet } = await setUp(() => ({ rows: [row], monitors: [monitor] }));
    const seen: string[] = [];
    let rows: ReadonlyMap<string, unknown> = new Map();
    wallet.watch$.subscribe(({ event, row }) => seen.push(`${event} ${row.watch_id ?? ''}`));
    wallet.watchModel$.subscribe((model) => (rows = model));
    wallet.monitors$.subscribe(({ event, monitor }) => seen.push(`${event} ${monitor.monitor_id}`));
    const params = { wallet: 'main' };
    link.say({ channel: 'tpsl.watch', params }, 'entry_hold', row);
    link.say({ channel: 'tpsl.watch', params }, 'trail_moved', {
      watch_kind: 'leg',
      leg_id: 'leg_1',
      symbol: 'BTC',
    });
    link.say({ channel: 'monitors', params }, 'fired', { ...monitor, status: 'fired' });
    expect(seen).toEqual([
      'snapshot wat_1',
      'snapshot mon_1',
      'entry_hold wat_1',
      'trail_moved ',
      'fired mon_1',
    ]);
    expect([...rows.keys()]).toEqual(['wat_1', 'leg_1']);
  });
});

describe('prices and _meta', () => {
  const meta: Subscription = { channel: '_meta', params: {} };

  test('MKT-6: the latest price at once, then each tick, with its time', async () => {
    const { link, streams } = await setUp();
    link.snapshots = () => null;
    const price: Subscription = { channel: 'price', params: { symbol: 'BTC' } };
    const first: number[] = [];
    streams.price('BTC').subscribe(({ mark, time }) => first.push(mark, time));
    link.market.advanceTo(7);
    link.say(price, 'tick', { mark: 1, bid: 1, ask: 1, last: 1 });
    const second: number[] = [];
    streams.price('BTC').subscribe(({ mark }) => second.push(mark));
    link.say(price, 'tick', { mark: 2, bid: 1, ask: 1, last: 1, time: 6 });
    expect(first).toEqual([1, 7, 2, 6]);
    expect(second).toEqual([1, 2]);
  });

  test('STR-4: connectivity starts with the welcome and follows each layer', async () => {
    const { link, streams, faults } = await setUp();
    const seen: object[] = [];
    const events: string[] = [];
    streams.connectivity$.subscribe((layers) => seen.push(layers));
    streams.meta$.subscribe(({ event }) => events.push(event));
    const connectivity = { orders: 'ok', market_data: 'ok' };
    link.say(meta, 'welcome', { connectivity, server_time: 1 });
    link.say(meta, 'degraded', { layer: 'orders', detail: 'slow' });
    link.next(meta, 'degraded', { layer: 'lost' });
    link.say(meta, 'recovered', { layer: 'orders', detail: null });
    expect(seen).toEqual([{}, connectivity, { ...connectivity, orders: 'degraded' }, connectivity]);
    expect(events).toEqual(['welcome', 'degraded', 'recovered']);
    expect(faults).toMatchObject([{ kind: 'gap', channel: '_meta' }]);
    const late: object[] = [];
    streams.connectivity$.subscribe((layers) => late.push(layers));
    expect(late).toEqual([connectivity]);
  });

  test('STR-4: layers read over REST count like those of a frame', async () => {
    const { link, streams } = await setUp();
    const seen: object[] = [];
    link.say(meta, 'welcome', { connectivity: { orders: 'degraded' }, server_time: 1 });
    streams.connectivity$.subscribe((layers) => seen.push(layers));
    streams.expectLayers()({ orders: 'degraded' });
    streams.expectLayers()({ orders: 'ok' });
    expect(seen).toEqual([{ orders: 'degraded' }, { orders: 'ok' }]);
    const admitOld = streams.expectLayers();
    link.say(meta, 'degraded', { layer: 'orders', detail: null });
    for (const orders of ['ok', 'maintenance']) {
      expect(admitOld({ orders })).toBe(false);
      expect(seen.at(-1)).toEqual({ orders: 'degraded' });
    }
  });

  test('a frame of an unknown channel is no fault (ERR-2)', async () => {
    const { link, streams, faults } = await setUp();
    link.say({ channel: 'moon', params: {} }, 'phase', 'full');
    link.say(meta, 'degraded', { layer: 'orders', detail: null });
    expect([faults, await firstValueFrom(streams.connectivity$)]).toEqual([
      [],
      { orders: 'degraded' },
    ]);
  });

  test('the link’s status is known at once and followed', async () => {
    const link = new ScriptedLink();
    const streams = createStreams({ link, env: createVirtualEnv() });
    const seen: string[] = [];
    streams.status$.subscribe(({ state }) => seen.push(state));
    await streams.open();
    link.lose();
    expect(seen).toEqual(['closed', 'open', 'lost']);
  });
});

describe('delivery', () => {
  test('a throwing subscriber affects neither others nor the stream', async () => {
    const thrown: unknown[] = [];
    config.onUnhandledError = (error) => thrown.push(error);
    onTestFinished(() => {
      config.onUnhandledError = null;
    });
    const { link, wallet } = await setUp();
    const seen: string[] = [];
    wallet.fills$.subscribe(() => {
      throw new Error('mine');
    });
    wallet.fills$.subscribe(({ fill_id: id }) => seen.push(id));
    link.say(subscription, 'fill', fill('fil_1'));
    link.say(subscription, 'fill', fill('fil_2'));
    expect(seen).toEqual(['fil_1', 'fil_2']);
    await expect.poll(() => thrown).toMatchObject([{ message: 'mine' }, { message: 'mine' }]);
  });

  test('a frame caused by a subscriber is delivered after the frame that caused it', async () => {
    const { link, wallet } = await setUp();
    const received: string[] = [];
    wallet.orders$.subscribe(({ status }) => {
      if (status === 'open') link.say(subscription, 'order', order('ord_1', 'cancelled'));
    });
    wallet.orders$.subscribe(({ status }) => received.push(status));
    link.say(subscription, 'order', order('ord_1'));
    expect(received).toEqual(['open', 'cancelled']);
  });

  test('delivery is done when the link’s call returns', async () => {
    const { link, wallet } = await setUp();
    let received = 0;
    wallet.fills$.subscribe(() => (received += 1));
    link.say(subscription, 'fill', fill('fil_1'));
    expect(received).toBe(1);
  });
});
