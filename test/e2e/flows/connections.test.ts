/** A key is bound to wallets; each has its own account. */
import { expect, test } from 'vitest';
import { openService, refusal } from './openService.ts';

test('CON-1: the linked wallets, with a stable id, venue, label and status', async () => {
  const { client, controls } = await openService();
  await controls.createConnection({ label: 'Cold Store', balance: 0, status: 'unlinked' });
  const { items } = await client.connections.list();
  expect(items).toMatchObject([
    { id: 'main', status: 'active' },
    { id: 'second', label: 'Second', status: 'active' },
    { id: 'cold-store', label: 'Cold Store', status: 'unlinked' },
  ]);
  for (const { venue } of items) expect(venue).toMatch(/./);
});

test('AUTH-8: a header selects the wallet, and the response names it', async () => {
  const { client } = await openService();
  expect((await client.account.get()).equity).toBe(100_000);
  expect((await client.account.get({ wallet: 'second' })).equity).toBe(5_000);
  const request = { endpoint: 'account.get', pathParams: {}, query: {}, body: '' } as const;
  const exchange = await client.request({ ...request, wallet: 'second' });
  expect(exchange).toMatchObject({
    response: { headers: { 'x-service-wallet-resolved': 'second' }, body: { wallet: 'second' } },
  });
  expect(await refusal(client.account.get({ wallet: 'nobody' }))).toMatchObject({
    status: 404,
    code: 'unknown_wallet',
  });
});

test('AUTH-5: without a linked wallet there is no key; a secret is shown once', async () => {
  const { controls } = await openService();
  await controls.createConnection({ label: 'cold', balance: 0, status: 'unlinked' });
  const request = { label: 'bot', scopes: ['read'] } as const;
  expect(await refusal(controls.createKey({ ...request, connection_id: 'cold' }))).toMatchObject({
    status: 409,
    code: 'wallet_not_linked',
  });
  const { key_id: keyId, secret } = await controls.createKey(request);
  expect(keyId).toMatch(/^vk_/);
  expect(secret).toMatch(/^vs_/);
  expect(JSON.stringify(await controls.keys())).toContain(keyId);
  expect(JSON.stringify(await controls.keys())).not.toContain(secret);
});

test('the activity of one wallet is not visible in another', async () => {
  const { client } = await openService();
  const order = { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'market' } as const;
  await client.orders.place({ body: order, wallet: 'second' });
  expect((await client.positions.list({ wallet: 'second' })).items).toHaveLength(1);
  expect((await client.positions.list()).items).toHaveLength(0);
});
