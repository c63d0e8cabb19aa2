import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/dialect.ts';
import { INTERVAL_MS } from '../../../src/contract/intervals.ts';
import type { StreamFrame } from '../../../src/contract/frames.ts';
import { createLiveEnv } from '../../../src/env/createLiveEnv.ts';
import { createVirtualEnv } from '../../../src/env/createVirtualEnv.ts';
import type { LinkFault, LinkListener, LinkStatus } from '../../../src/env/Link.ts';
import { decodeFrame } from '../../../src/frames/decodeFrame.ts';
import { createWireLink, type WireLinkOptions } from '../../../src/runtime/links/createWireLink.ts';
import { createStreams, type AccountModel, type CandleEvent } from '../../../src/streams/index.ts';
import { createHttpClient } from '../../../src/wire/createHttpClient.ts';
import { createSigner } from '../../../src/wire/createSigner.ts';
import { createSocket } from '../../../src/wire/createSocket.ts';
import { startPaper, TAPE_START, WARMUP } from '../../wire/startPaper.ts';
import { startSocketServer } from '../../wire/startSocketServer.ts';

const MINUTE = INTERVAL_MS['1m'];
const live = createLiveEnv();
const eager = { ...live, random: { next: () => 0 } };

function linkTo(wsUrl: string, options: Partial<WireLinkOptions> = {}) {
  const env = options.env ?? eager;
  const dialect = defaultDialect;
  const signer = createSigner({ keyId: 'vk_1', secret: 'vs_1', dialect, clock: live.clock });
  const baseUrl = wsUrl.replace('ws:', 'http:').replace(/\/v1.*/, '');
  const http = createHttpClient({ baseUrl, dialect, signer, env });
  const decode = (text: string) => decodeFrame(text, dialect);
  const socket = createSocket({ wsUrl, dialect, signer, env: eager, decode });
  const link = createWireLink({ http, socket, env, market: 'frames', ...options });
  onTestFinished(() => link.close());
  return link;
}

function listener() {
  const frames: StreamFrame[] = [];
  const statuses: LinkStatus[] = [];
  const faults: LinkFault[] = [];
  const received: LinkListener = {
    onFrame: (frame) => frames.push(frame),
    onStatus: (status) => statuses.push(status),
    onFault: (fault) => faults.push(fault),
  };
  return { received, frames, statuses, faults };
}

const frame = (seq: number, ts: number, channel = '_meta', event = 'x') =>
  JSON.stringify({ channel, params: {}, event, wallet: 'main', seq, ts, data: {} });

describe('subscriptions', () => {
  test('active subscriptions are sent at each connect, withdrawn ones are not', async () => {
    const server = await startSocketServer({ onConnection: (socket) => socket.send(frame(1, 1)) });
    const link = linkTo(server.wsUrl);
    link.subscribe({ channel: 'price', params: { symbol: 'ETH' } });
    link.subscribe({ channel: 'candles', params: { symbol: 'BTC', interval: '1m' } });
    link.unsubscribe({ channel: 'price', params: { symbol: 'ETH' } });
    const { received, statuses } = listener();
    await link.open(received);
    link.subscribe({ channel: 'price', params: { symbol: 'BTC' } });
    await expect.poll(() => server.messages.length).toBe(2);
    server.connections[0]!.terminate();
    await expect.poll(() => server.messages.length).toBe(4);
    const asked = server.messages.map(({ op, channel, params }) => ({ op, channel, params }));
    const candles = {
      op: 'subscribe',
      channel: 'candles',
      params: { symbol: 'BTC', interval: '1m' },
    };
    const price = { op: 'subscribe', channel: 'price', params: { symbol: 'BTC' } };
    expect(asked).toEqual([candles, price, candles, price]);
    expect(statuses.map(({ state }) => state)).toEqual([
      'connecting',
      'open',
      'lost',
      'connecting',
      'open',
    ]);
  });

  test('a subscription made during the connect event is sent once', async () => {
    const server = await startSocketServer({ onConnection: (socket) => socket.send(frame(1, 1)) });
    const link = linkTo(server.wsUrl);
    const { received } = listener();
    const onStatus = (status: LinkStatus): void => {
      if (status.state === 'open') link.subscribe({ channel: 'monitors', params: {} });
    };
    await link.open({ ...received, onStatus });
    link.subscribe({ channel: 'price', params: { symbol: 'BTC' } });
    await expect.poll(() => server.messages.length).toBe(2);
    expect(server.messages.map(({ channel }) => channel)).toEqual(['monitors', 'price']);
  });

  test('a refusal is reported with its subscription; a budget refusal is retried after its wait', async () => {
    const env = createVirtualEnv();
    const server = await startSocketServer({
      onConnection: (socket) => socket.send(frame(1, 1)),
      onMessage: (socket, { id, channel }) => {
        if (server.messages.length > 2) return;
        const limited = { code: 'rate_limited', message: 'm', details: { retry_after_seconds: 9 } };
        const error = channel === 'price' ? limited : { code: 'unknown_channel', message: 'm' };
        socket.send(JSON.stringify({ type: 'error', id, error, request_id: 'r' }));
      },
    });
    const link = linkTo(server.wsUrl, { env });
    const { received, faults } = listener();
    await link.open(received);
    link.subscribe({ channel: 'price', params: { symbol: 'BTC' } });
    link.subscribe({ channel: 'moon', params: {} });
    await expect.poll(() => faults.length).toBe(2);
    expect(faults).toMatchObject([
      { kind: 'refused', subscription: { channel: 'price' }, error: { code: 'rate_limited' } },
      { kind: 'refused', subscription: { channel: 'moon' }, error: { code: 'unknown_channel' } },
    ]);
    env.queue.advanceTo(8_999);
    expect(server.messages).toHaveLength(2);
    env.queue.advanceTo(9_000);
    await expect
      .poll(() => server.messages.map(({ channel }) => channel))
      .toEqual(['price', 'moon', 'price']);
  });
});

describe('market time', () => {
  test('on a replay it is at each frame’s time before delivery, and never decreases', async () => {
    const server = await startSocketServer({
      onConnection: (socket) => {
        for (const [seq, ts] of [
          [1, 1_000],
          [2, 5_000],
          [3, 4_000],
        ] as const) {
          socket.send(frame(seq, ts));
        }
      },
    });
    const link = linkTo(server.wsUrl);
    const log: string[] = [];
    link.market.at(3_000, () => log.push(`task at ${link.market.now()}`));
    const { received } = listener();
    await link.open({
      ...received,
      onFrame: ({ seq }) => log.push(`frame ${seq} at ${link.market.now()}`),
    });
    await expect
      .poll(() => log)
      .toEqual(['frame 1 at 1000', 'task at 3000', 'frame 2 at 5000', 'frame 3 at 5000']);
  });

  test('on a live venue it is wall time, corrected by the service’s clock offset', async () => {
    const env = { ...live, clock: { ...live.clock, wallNow: () => 1_000_000 } };
    const clockOffset = { offsetMs: () => -250, learn: () => {} };
    const server = await startSocketServer();
    const link = linkTo(server.wsUrl, { env, market: 'wall', clockOffset });
    expect(link.market.now()).toBe(999_750);
  });
});

describe('tasks of a replay whose time comes from frames', () => {
  const env = createVirtualEnv();
  /** Lets a test give frames and losses, and notes which of the tasks ran late. */
  function open() {
    const { queue, clock } = env;
    const late: Array<[due: number, isLate: boolean | undefined]> = [];
    let give!: { frame(ts: number): void; lost(): void };
    const socket = {
      open({ onFrame, onStatus }: Parameters<WireLinkOptions['socket']['open']>[0]) {
        give = {
          frame: (ts) =>
            onFrame({ kind: 'stream', frame: JSON.parse(frame(1, ts)) as StreamFrame }),
          lost: () => onStatus({ state: 'lost', reason: 'test' }),
        };
        onStatus({ state: 'open' });
      },
      close: () => Promise.resolve(),
    } as unknown as WireLinkOptions['socket'];
    const http = { close: () => Promise.resolve() } as unknown as WireLinkOptions['http'];
    const link = createWireLink({ http, socket, env, market: 'frames' });
    void link.open(listener().received);
    const begun = clock.monotonicNow();
    const wait = (ms: number): void => queue.advanceTo(queue.now() + ms);
    const due = (...times: number[]): void => {
      for (const time of times) link.market.at(time, (isLate) => late.push([time, isLate]));
    };
    return { give, late, due, wait, begun };
  }

  test('between two frames they are in time, however far apart the frames are', () => {
    const { give, late, due, wait } = open();
    give.frame(60_000);
    due(61_000, 119_000, 120_000);
    wait(5_000);
    give.frame(120_000);
    wait(20);
    expect(late).toEqual([
      [61_000, false],
      [119_000, false],
      [120_000, false],
    ]);
  });

  test('what fell due while the connection was lost is late, apart from the last ten seconds', () => {
    const { give, late, due, wait } = open();
    give.frame(60_000);
    due(61_000, 109_999, 110_000, 120_000, 180_000);
    give.lost();
    wait(5_000);
    give.frame(120_000);
    expect(late).toEqual([
      [61_000, true],
      [109_999, true],
      [110_000, false],
      [120_000, false],
    ]);
    wait(5_000);
    give.frame(180_000);
    wait(20);
    expect(late.at(-1)).toEqual([180_000, false]);
  });

  test('what fell due before a frame that waited on the line is late', () => {
    const { give, late, due, wait } = open();
    give.frame(60_000);
    due(61_000, 119_000, 121_000, 180_000);
    wait(60_000);
    for (const ts of [120_000, 180_000]) give.frame(ts);
    wait(20);
    expect(late).toEqual([
      [61_000, true],
      [119_000, true],
      [121_000, false],
      [180_000, false],
    ]);
  });
});

test('where time goes on by itself, a task is late if the machine stood still meanwhile', async () => {
  let wall = 1_000_000;
  const virtual = createVirtualEnv();
  const env = { ...virtual, clock: { ...virtual.clock, wallNow: () => wall } };
  const server = await startSocketServer();
  const link = linkTo(server.wsUrl, { env, market: 'wall' });
  const late: Array<boolean | undefined> = [];
  for (const slept of [0, 10_000, 10_001]) {
    link.market.at(wall + 1_000, (isLate) => late.push(isLate));
    wall += 1_000 + slept;
    virtual.queue.advanceTo(virtual.queue.now() + 1_000);
  }
  expect(late).toEqual([false, false, true]);
});

test('a bad frame is a fault, and later frames are delivered', async () => {
  const server = await startSocketServer({
    onConnection: (socket) => {
      socket.send('nonsense');
      socket.send(frame(1, 1));
    },
  });
  const { received, frames, faults } = listener();
  await linkTo(server.wsUrl).open(received);
  expect(frames).toHaveLength(1);
  expect(faults).toMatchObject([{ kind: 'undecodable', fault: { reason: 'not_json' } }]);
});

test('STR-6: an endpoint with a command may go by the socket, its path, query and body as args', async () => {
  const server = await startSocketServer({
    onConnection: (socket) => socket.send(frame(1, 1)),
    onMessage: (socket, { id }) =>
      socket.send(JSON.stringify({ type: 'result', id, ok: true, data: {} })),
  });
  const link = linkTo(server.wsUrl);
  await link.open(listener().received);
  const modify = {
    endpoint: 'orders.modify',
    pathParams: { id: 'client:a' },
    query: {},
    body: '{"price":1e-7}',
    wallet: 'sub',
    idempotencyKey: 'k',
    via: 'socket',
  } as const;
  expect(await link.request(modify)).toMatchObject({ kind: 'answered', response: { status: 200 } });
  expect(server.messages).toMatchObject([
    {
      command: 'modify_order',
      args: { id: 'client:a', price: 1e-7 },
      wallet: 'sub',
      idempotency_key: 'k',
    },
  ]);
});

describe('against the paper service', () => {
  async function open() {
    const paper = await startPaper();
    const { http, socket } = paper;
    const link = createWireLink({ http, socket, env: live, market: 'frames' });
    const streams = createStreams({ link, env: live });
    const frames: StreamFrame[] = [];
    const { listener: joined } = streams;
    const onFrame = (frame: StreamFrame): void => {
      joined.onFrame(frame);
      frames.push(frame);
    };
    await link.open({ ...joined, onFrame });
    return { ...paper, link, streams, frames };
  }

  test('market time equals the replay’s with the welcome, and connectivity is known', async () => {
    const { link, streams } = await open();
    expect(link.market.now()).toBe(TAPE_START + WARMUP * MINUTE);
    const layers: object[] = [];
    streams.connectivity$.subscribe((known) => layers.push(known));
    expect(layers).toMatchObject([{ market_data: 'ok', orders: 'ok' }]);
  });

  test('an order, its fill and the position arrive, and the model agrees with the reads', async () => {
    const { client, streams, link } = await open();
    const wallet = streams.wallet('main');
    let model: AccountModel | undefined;
    const fills: string[] = [];
    wallet.account$.subscribe((next) => (model = next));
    wallet.fills$.subscribe(({ fill_id: id }) => fills.push(id));
    await expect.poll(() => model?.complete).toBe(true);
    await client.orders.place({
      body: { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' },
    });
    const body = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 50 } as const;
    const resting = await client.orders.place({ body });
    await expect.poll(() => model?.openOrders.size).toBe(1);
    const position = await client.positions.get({ symbol: 'BTC' });
    expect(model?.positions.get('BTC')).toMatchObject({ size: 0.1, side: position.side });
    expect((await client.orders.fills()).items.map((item) => item.fill_id)).toEqual(fills);
    const list = {
      endpoint: 'orders.list',
      pathParams: {},
      query: {},
      body: '',
      via: 'socket',
    } as const;
    expect(await link.request(list)).toMatchObject({
      kind: 'answered',
      response: { status: 200, body: { items: [{ order_id: resting.order_id }] } },
    });
    await client.positions.close({ symbol: 'BTC', body: { order_type: 'market' } });
    await expect.poll(() => model?.positions.size).toBe(0);
  });

  test('candles: history and live bars, through a restart of the service, each once', async () => {
    const { streams, controls } = await open();
    const seen: CandleEvent[] = [];
    streams.candles('BTC', '1m', { history: 3 }).subscribe((event) => seen.push(event));
    await expect.poll(() => seen.length).toBe(3);
    await controls.advance({ bars: 2, interval: '1m' });
    await controls.restart();
    await controls.advance({ bars: 4, interval: '1m' });
    const until = WARMUP + 6;
    await expect.poll(() => seen.length, { timeout: 5_000 }).toBe(9);
    await controls.advance({ bars: 1, interval: '1m' });
    await expect.poll(() => seen.length).toBe(10);
    expect(seen.map(({ bar }) => (bar.time - TAPE_START) / MINUTE)).toEqual(
      Array.from({ length: until + 1 - (WARMUP - 3) }, (_, index) => WARMUP - 3 + index),
    );
    expect(seen.map((event) => event.kind === 'closed' && event.history)).toEqual([
      true,
      true,
      true,
      ...Array.from({ length: 7 }, () => false),
    ]);
  });

  test('once an advance is answered, its `advanced` frame follows all others', async () => {
    const { streams, controls, link, frames } = await open();
    const order = (): string[] => frames.map(({ channel, event }) => `${channel} ${event}`);
    streams.candles('BTC', '1m', { history: 0 }).subscribe();
    await expect.poll(() => order().at(-1)).toBe('candles snapshot');
    await controls.advance({ bars: 1, interval: '1m' });
    await expect.poll(() => order().at(-1)).toBe('_meta advanced');
    expect(order()).toContain('candles bar_closed');
    expect(link.market.now()).toBe((await controls.replay()).time);
  });
});
