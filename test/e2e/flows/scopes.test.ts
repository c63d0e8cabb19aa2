/** Permissions of a key. */
import { describe, expect, test } from 'vitest';
import { still } from './drawTape.ts';
import { openService, refusal } from './openService.ts';

const order = { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' } as const;
const launch = {
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 0.5,
  params: { duration_seconds: 120 },
} as const;
const lacks = (required_scope: string) => ({
  status: 403,
  code: 'insufficient_scope',
  details: { required_scope },
});

describe('AUTH-4: three scopes', () => {
  test('read sees everything and changes nothing', async () => {
    const { clientWith } = await openService();
    const reader = await clientWith('read');
    await reader.account.get();
    await reader.orders.list();
    await reader.market.price({ symbol: 'BTC' });
    expect(await refusal(reader.orders.place({ body: order }))).toMatchObject(lacks('trade'));
    expect(
      await refusal(reader.executions.launch({ body: launch, idempotencyKey: 'k' })),
    ).toMatchObject(lacks('algo'));
  });

  test('trade places orders; algorithms need algo', async () => {
    const { clientWith } = await openService({ prices: still(60_000, 5) });
    const trader = await clientWith('trade');
    await trader.orders.place({ body: order });
    expect(await refusal(trader.account.get())).toMatchObject(lacks('read'));
    expect(
      await refusal(trader.executions.launch({ body: launch, idempotencyKey: 'k' })),
    ).toMatchObject(lacks('algo'));
  });

  test('algo launches and manages executions; orders by hand need trade', async () => {
    const { clientWith } = await openService({ prices: still(60_000, 5) });
    const runner = await clientWith('algo');
    const { execution_id: id } = await runner.executions.launch({
      body: launch,
      idempotencyKey: 'k',
    });
    expect((await runner.executions.pause({ id })).status).toBe('paused');
    expect(await refusal(runner.orders.place({ body: order }))).toMatchObject(lacks('trade'));
  });
});

describe('AUTH-4: a scope that the body asks for', () => {
  test('a leg that unwinds by an algorithm, and a close by one, need algo as well', async () => {
    const { clientWith } = await openService({ prices: still(60_000, 5) });
    const trader = await clientWith('trade');
    await trader.orders.place({ body: order });
    const unwind = {
      price: 59_000,
      exit_style: 'algo_unwind',
      unwind_algo: 'pacemaker',
      unwind_params: { duration_seconds: 60 },
    } as const;
    const attach = trader.positions.attachLegs({ symbol: 'BTC', body: { stop_loss: unwind } });
    expect(await refusal(attach)).toMatchObject(lacks('algo'));
    const close = trader.positions.close({
      symbol: 'BTC',
      body: { algo: 'pacemaker', params: { duration_seconds: 60 } },
    });
    expect(await refusal(close)).toMatchObject(lacks('algo'));
    await trader.positions.close({ symbol: 'BTC', body: { order_type: 'market' } });
  });

  test('a monitor and a webhook that place orders need trade as well', async () => {
    const { clientWith } = await openService();
    const runner = await clientWith('algo');
    const monitor = runner.monitors.create({
      body: {
        trigger: { type: 'price_level', symbol: 'BTC', price: 90_000, direction: 'above' },
        action: { type: 'order', request: order },
      },
    });
    expect(await refusal(monitor)).toMatchObject(lacks('trade'));
    const webhook = runner.webhooks.create({
      body: { name: 'x', action: { type: 'order', request: order } },
    });
    expect(await refusal(webhook)).toMatchObject(lacks('trade'));
  });
});

describe('callers without access', () => {
  test('AUTH-3: a dashboard’s session, which signs nothing', async () => {
    const { baseUrl } = await openService();
    const answer = await fetch(`${baseUrl}/v1/account`, {
      headers: { Authorization: 'Bearer session', Cookie: 'session=1' },
    });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: { code: 'session_credentials_refused' } });
  });

  test('AUTH-1: a signature of another request', async () => {
    const { baseUrl, signer } = await openService();
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(`${baseUrl}/v1/account`, { headers });
      const body = (await answer.json()) as { error?: { code: string } };
      return [answer.status, body.error?.code];
    };
    const path = '/v1/account';
    expect(await ask({ ...signer.sign({ method: 'GET', path, body: '' }) })).toEqual([
      200,
      undefined,
    ]);
    expect(await ask({ ...signer.sign({ method: 'POST', path, body: '' }) })).toEqual([
      401,
      'invalid_signature',
    ]);
    expect(await ask({})).toEqual([401, 'missing_credentials']);
  });

  test('a key that was revoked', async () => {
    const { controls, clientWith } = await openService();
    const reader = await clientWith('read');
    await reader.account.get();
    const { key_id: id } = (await controls.keys()).find(({ scopes }) => scopes.length === 1)!;
    await controls.revokeKey(id);
    expect(await refusal(reader.account.get())).toMatchObject({ status: 401, code: 'unknown_key' });
  });
});

test('AUTH-9: no endpoint moves funds out', async () => {
  const { client } = await openService();
  const { items } = await client.utility.weights({ query: { limit: 500 } });
  expect(items.length).toBeGreaterThan(60);
  for (const { path } of items) expect(path).not.toMatch(/withdraw|transfer|send/);
});
