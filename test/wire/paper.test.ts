import { describe, expect, onTestFinished, test } from 'vitest';
import { INTERVAL_MS } from '../../src/contract/intervals.ts';
import { createClient } from '../../src/wire/createClient.ts';
import { createHttpClient } from '../../src/wire/createHttpClient.ts';
import { createPaperControls } from '../../src/wire/createPaperControls.ts';
import { createSigner } from '../../src/wire/createSigner.ts';
import {
  ConflictError,
  CredentialsError,
  InsufficientScopeError,
  InvalidRequestError,
  NotFoundError,
} from '../../src/wire/errors/index.ts';
import { createLiveEnv } from '../../src/env/createLiveEnv.ts';
import { startPaper, TAPE_START, WARMUP } from './startPaper.ts';
import { startHttp } from './startServer.ts';

const MINUTE = INTERVAL_MS['1m'];
const resting = {
  symbol: 'BTC',
  side: 'buy',
  size: 1,
  order_type: 'limit',
  price: 50,
} as const;

describe('the client against the paper service', () => {
  test('AUTH-1: the service accepts our signatures, but not a wrong secret', async () => {
    const { client, server, env, dialect } = await startPaper();
    expect((await client.utility.status()).status).toBe('ok');
    const signer = createSigner({
      keyId: server.keyId,
      secret: 'vs_wrong',
      dialect,
      clock: env.clock,
    });
    const { baseUrl } = server;
    const http = createHttpClient({ baseUrl, dialect, signer, env });
    onTestFinished(() => http.close());
    const forged = createClient(http, dialect);
    await expect(forged.account.get()).rejects.toBeInstanceOf(CredentialsError);
    expect(await forged.utility.health()).toMatchObject({ status: 'ok' });
  });

  test('ACC-1, CON-1: the read methods of account and market bring records', async () => {
    const { client } = await startPaper();
    expect((await client.connections.list()).items.map(({ id }) => id)).toEqual(['main', 'second']);
    expect(await client.account.get()).toMatchObject({ wallet: 'main', equity: 10_000 });
    expect((await client.account.balances()).items[0]).toMatchObject({ asset: 'USDC' });
    expect(await client.account.feeTier()).toMatchObject({ tier: 'standard', bps: 0.8 });
    expect((await client.market.instruments()).items.map(({ symbol }) => symbol)).toEqual([
      'BTC',
      'HYPE/USDC',
    ]);
    expect((await client.market.price({ symbol: 'BTC' })).mark).toBeGreaterThan(0);
    const book = await client.market.orderbook({ symbol: 'BTC', query: { depth: 3 } });
    expect(book.bids).toHaveLength(3);
    expect((await client.utility.rateLimits()).tier).toBe('standard');
    expect((await client.market.indicators()).items).toHaveLength(14);
    expect((await client.executions.algos()).items).toHaveLength(6);
  });

  test('ORD-5, MKT-1: candles of a spot pair, whose slash travels in the path', async () => {
    const { client } = await startPaper();
    const query = { interval: '1m', limit: 5 } as const;
    const { candles } = await client.market.candles({ symbol: 'HYPE/USDC', query });
    expect(candles.map(({ time, closed }) => [(time - TAPE_START) / MINUTE, closed])).toEqual(
      [95, 96, 97, 98, 99].map((index) => [index, true]),
    );
  });

  test('ORD-1, ORD-4: an order is placed, found, changed and cancelled', async () => {
    const { client } = await startPaper();
    const body = { ...resting, client_order_id: 'mine' };
    const placed = await client.orders.place({ body, idempotencyKey: 'key-1' });
    expect(placed).toMatchObject({ status: 'open', queued: false, idempotency_key: 'key-1' });
    const again = await client.orders.place({ body, idempotencyKey: 'key-1' });
    expect(again).toEqual(placed);
    expect((await client.orders.get({ id: 'client:mine' })).order_id).toBe(placed.order_id);
    const modified = await client.orders.modify({ id: placed.order_id, body: { price: 49 } });
    expect(modified.price).toBe(49);
    expect((await client.orders.list({ query: { symbol: 'BTC' } })).items).toHaveLength(1);
    await client.orders.cancel({ id: 'client:mine' });
    const second = await client.orders
      .cancel({ id: 'client:mine' })
      .catch((error: unknown) => error);
    expect(second).toBeInstanceOf(ConflictError);
    expect((await client.orders.history()).items[0]).toMatchObject({ status: 'cancelled' });
  });

  test('ERR-1: refusals arrive as typed errors with the service’s details', async () => {
    const { client } = await startPaper();
    const bad = { ...resting, price: -1 } as const;
    const invalid = await client.orders.place({ body: bad }).catch((error: unknown) => error);
    expect(invalid).toBeInstanceOf(InvalidRequestError);
    expect((invalid as InvalidRequestError).fields[0]).toMatchObject({ path: 'price' });
    expect((invalid as InvalidRequestError).requestId).toMatch(/./);
    await expect(client.market.price({ symbol: 'NOPE' })).rejects.toMatchObject({
      code: 'unknown_symbol',
    });
    await expect(client.positions.get({ symbol: 'BTC' })).rejects.toBeInstanceOf(NotFoundError);
    await expect(client.account.get({ wallet: 'nobody' })).rejects.toMatchObject({
      code: 'unknown_wallet',
    });
  });

  test('EXE-2, EXE-7: an execution is launched, paused, resumed and stopped', async () => {
    const { client, controls } = await startPaper();
    const body = {
      algo: 'pacemaker',
      symbol: 'BTC',
      side: 'buy',
      total_size: 1,
      params: { duration_seconds: 600 },
    } as const;
    const launched = await client.executions.launch({ body, idempotencyKey: 'launch-1' });
    const id = launched.execution_id;
    expect(launched).toMatchObject({ status: 'running', request: body });
    await controls.advance({ bars: 2, interval: '1m' });
    expect((await client.executions.pause({ id })).status).toBe('paused');
    expect((await client.executions.resume({ id })).status).toBe('running');
    expect(await client.executions.stop({ id })).toMatchObject({ reason: 'user_stop' });
    expect((await client.executions.fills({ id })).items.length).toBeGreaterThan(0);
    expect((await client.positions.get({ symbol: 'BTC' })).size).toBeGreaterThan(0);
  });
});

describe('the paper controls', () => {
  test('step the replay and report its time', async () => {
    const { controls } = await startPaper();
    const before = await controls.replay();
    expect(before).toMatchObject({ state: 'paused', time: TAPE_START + WARMUP * MINUTE });
    await controls.advance({ to_time: before.time + MINUTE });
    expect((await controls.replay()).time).toBe(before.time + MINUTE);
    await expect(controls.advance({ to_time: 1 })).rejects.toBeInstanceOf(InvalidRequestError);
  });

  test('AUTH-4, AUTH-5: make keys with scopes, list them without secrets, revoke them', async () => {
    const { controls, server, env, dialect } = await startPaper();
    const key = await controls.createKey({ label: 'reader', scopes: ['read'] });
    const signer = createSigner({
      keyId: key.key_id,
      secret: key.secret,
      dialect,
      clock: env.clock,
    });
    const { baseUrl } = server;
    const http = createHttpClient({ baseUrl, dialect, signer, env });
    onTestFinished(() => http.close());
    const reader = createClient(http, dialect);
    await reader.account.get();
    const refused = await reader.orders.place({ body: resting }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InsufficientScopeError);
    expect((refused as InsufficientScopeError).requiredScope).toBe('trade');
    expect(JSON.stringify(await controls.keys())).not.toContain(key.secret);
    await controls.revokeKey(key.key_id);
    await expect(reader.account.get()).rejects.toMatchObject({ code: 'unknown_key' });
    await controls.createConnection({ label: 'Cold', balance: 0, status: 'unlinked' });
    await expect(
      controls.createKey({ label: 'x', scopes: ['read'], connection_id: 'cold' }),
    ).rejects.toMatchObject({ code: 'wallet_not_linked' });
  });

  test('a replay is paused, and looked at, while a long step of it is awaited', async () => {
    let finish = (): void => {};
    const state = '{"time":1,"start_time":1,"end_time":2,"speed":0,"state":"paused"}';
    const { url } = await startHttp((request, response) => {
      if (request.url === '/paper/replay/advance') finish = () => void response.end(state);
      else response.end(state);
    });
    const env = createLiveEnv();
    const controls = createPaperControls(url, env);
    onTestFinished(() => controls.close());
    const step = controls.advance({ to_time: 2 });
    expect(await controls.speed(0)).toMatchObject({ state: 'paused' });
    expect(await controls.replay()).toMatchObject({ time: 1 });
    finish();
    await step;
  });

  test('are for this machine only', () => {
    const env = { timers: { after: () => () => {} } };
    expect(() => createPaperControls('https://example.com', env)).toThrow('this machine only');
  });
});
