/** Live events over WebSocket and server-sent events. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { StreamFrame } from '../../../src/contract/frames.ts';
import { defaultDialect } from '../../../src/contract/dialect.ts';
import { createLiveEnv } from '../../../src/env/createLiveEnv.ts';
import { decodeFrame } from '../../../src/frames/decodeFrame.ts';
import { createEventStream } from '../../../src/wire/createEventStream.ts';
import { still, way } from './drawTape.ts';
import { openService } from './openService.ts';

const market = { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' } as const;

describe('the socket', () => {
  test('STR-4: welcomes with a connectivity snapshot', async () => {
    const { stream } = await openService();
    const welcome = await stream.open();
    expect(welcome).toMatchObject({ channel: '_meta', seq: 1, wallet: 'main' });
    expect(welcome.data).toMatchObject({
      connectivity: { market_data: 'ok', orders: 'ok', account: 'ok', executions: 'ok' },
    });
  });

  test('STR-2: account.state is a snapshot, then every change, without a gap', async () => {
    const { client, stream, advance } = await openService({ prices: way(60_000, 60_500, 90) });
    await stream.open();
    await client.orders.place({ body: { ...market, size: 0.2 } });
    await stream.subscribe('account.state');
    await client.positions.close({ symbol: 'BTC', body: {} });
    await client.orders.place({ body: market });
    // Past the hour, funding is settled.
    await advance(61);

    const frames = stream.frames.filter(({ channel }) => channel === 'account.state');
    expect(frames[0]).toMatchObject({
      event: 'snapshot',
      data: { positions: [{ symbol: 'BTC', size: 0.2 }], balances: [{ asset: 'USDC' }] },
    });
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_frame, index) => index + 1));
    expect(new Set(frames.map(({ event }) => event))).toEqual(
      new Set(['snapshot', 'order', 'fill', 'position', 'balance', 'funding']),
    );
    // The frames add up to the REST state.
    const fills = stream.received('account.state', 'fill');
    expect((await client.orders.fills()).items.slice(0, 2).toReversed()).toEqual(fills);
  });

  test('STR-5: every frame names its wallet, also if one socket serves two wallets', async () => {
    const { client, stream, advance } = await openService({ prices: still(60_000, 5) });
    await stream.open();
    await stream.subscribe('account.state');
    await stream.subscribe('account.state', { wallet: 'second' });
    await stream.subscribe('price', { symbol: 'BTC' });
    await client.orders.place({ body: market, wallet: 'second' });
    await advance(1);
    for (const { wallet } of stream.frames) expect(['main', 'second']).toContain(wallet);
    const fills = stream.frames.filter(({ event }) => event === 'fill');
    expect(fills.map(({ wallet, params }) => [wallet, params])).toEqual([
      ['second', { wallet: 'second' }],
    ]);
  });

  test('MKT-1: candles are closed; the one in progress on request', async () => {
    const { stream, advance } = await openService({ prices: way(60_000, 60_500, 10) });
    await stream.open();
    await stream.subscribe('candles', { symbol: 'BTC', interval: '1m', limit: 2 });
    const forming = { symbol: 'BTC', interval: '1m', include_forming: true };
    await stream.subscribe('candles', forming);
    await advance(2);
    const of = (withForming: boolean) =>
      stream.frames.filter(
        ({ channel, params }) =>
          channel === 'candles' && (params['include_forming'] === true) === withForming,
      );
    expect(of(false).map(({ event }) => event)).toEqual(['snapshot', 'bar_closed', 'bar_closed']);
    expect(of(false)[0]!.data).toMatchObject({ candles: [{ closed: true }, { closed: true }] });
    expect(new Set(of(true).map(({ event }) => event))).toContain('bar_forming');
  });

  test('STR-7: an invalid subscription is refused by its id; an active one can be ended', async () => {
    const { stream, advance } = await openService({ prices: still(60_000, 5) });
    await stream.open();
    expect(await stream.subscribe('moon')).toMatchObject({
      type: 'error',
      error: { code: 'unknown_channel' },
    });
    expect(await stream.subscribe('price', { symbol: 'DOGE' })).toMatchObject({
      error: { code: 'unknown_symbol' },
    });
    await stream.subscribe('price', { symbol: 'BTC' });
    await advance(1);
    expect(stream.received('price', 'tick').length).toBeGreaterThan(0);
  });

  test('STR-4: degradation and recovery of a layer are announced', async () => {
    const { stream, controls } = await openService();
    await stream.open();
    await controls.addFaults([{ kind: 'degrade_layer', layer: 'orders' }]);
    const degraded = await stream.next(({ event }) => event === 'degraded');
    expect(degraded.data).toMatchObject({ layer: 'orders' });
    await controls.clearFaults();
    const recovered = await stream.next(({ event }) => event === 'recovered');
    expect(recovered.data).toMatchObject({ layer: 'orders' });
  });
});

describe('server-sent events', () => {
  test('STR-1: the same frames as the socket’s, for read-only clients', async () => {
    const { client, stream, advance, signer, baseUrl } = await openService({
      prices: way(60_000, 60_300, 10),
    });
    const frames: StreamFrame[] = [];
    const subscriptions = [
      { channel: 'account.state', params: {} },
      { channel: 'candles', params: { symbol: 'BTC', interval: '1m' } },
    ];
    const events = createEventStream(
      {
        baseUrl,
        subscriptions,
        dialect: defaultDialect,
        signer,
        env: createLiveEnv(),
        decode: (text) => decodeFrame(text, defaultDialect),
      },
      {
        onFrame: (server) => void (server.kind === 'stream' && frames.push(server.frame)),
        onFault: (fault) => expect.fail(fault.detail),
        onStatus: () => {},
      },
    );
    onTestFinished(() => events.close());
    await expect.poll(() => frames.map(({ event }) => event)).toContain('snapshot');
    await stream.open();
    for (const { channel, params } of subscriptions) await stream.subscribe(channel, params);
    await expect.poll(() => frames.filter(({ event }) => event === 'snapshot')).toHaveLength(2);

    await client.orders.place({ body: market });
    await advance(2);
    const ofOrder = (list: readonly StreamFrame[]) =>
      list
        .filter(({ channel, event }) => channel !== '_meta' && event !== 'snapshot')
        .map(({ channel, event, data }) => [channel, event, data]);
    await expect.poll(() => ofOrder(frames)).toEqual(ofOrder(stream.frames));
    expect(ofOrder(frames).map(([, event]) => event)).toContain('bar_closed');
  });
});

test('STR-6: a command’s answer carries its own id, and costs what its endpoint costs', async () => {
  const { client, commands, stream } = await openService({ prices: still(60_000, 5) });
  await stream.open();
  const before = (await client.utility.rateLimits()).used;
  // Sent together, answered each for itself.
  const [positions, placed] = await Promise.all([
    commands.getPositions(),
    commands.placeOrder(market, { idempotencyKey: 'together' }),
  ]);
  expect(positions.items).toEqual([]);
  expect(placed).toMatchObject({ status: 'filled', idempotency_key: 'together' });
  // Weight 2 for each request, and 1 for the read.
  expect((await client.utility.rateLimits()).used - before).toBe(5);
});
