/** A budget by weight, and headroom that reads can't take from executions. */
import { describe, expect, test } from 'vitest';
import { still } from './drawTape.ts';
import { openService, refusal } from './openService.ts';

/** Budgets count the replay's time here, so that a minute can pass at will. */
const settings = { budget_clock: 'replay' } as const;

const launch = {
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 0.01,
  params: { duration_seconds: 600 },
} as const;

describe('the key’s budget', () => {
  test('LIM-1, LIM-2: is spent by weight, refused when exhausted, and restored within a minute', async () => {
    const { client, advance } = await openService({ prices: still(60_000, 10), settings });
    expect(await client.utility.rateLimits()).toMatchObject({
      tier: 'standard',
      budget: 1_200,
      window: 'sliding',
      used: 1,
    });
    // Sixty launches of twenty would be 1,200; the reading has cost one.
    let launched = 0;
    const spend = () =>
      client.executions.launch({ body: launch, idempotencyKey: `spend-${(launched += 1)}` });
    for (let count = 0; count < 59; count++) await spend();
    expect(await refusal(spend())).toMatchObject({
      status: 429,
      code: 'rate_limited',
      details: { bucket_exceeded: 'key_minute', retry_after_seconds: 60 },
    });
    await advance(1);
    expect(await client.utility.rateLimits()).toMatchObject({ used: 1 });
    // The refusal was not kept under its key.
    const body = { body: launch, idempotencyKey: 'spend-60' };
    expect(await client.executions.launch(body)).toMatchObject({ status: 'running' });
  });

  test('LIM-1: is by key and by tier', async () => {
    const { controls, client } = await openService({ settings });
    await client.account.get();
    const { key_id } = await controls.createKey({ label: 'pro', scopes: ['read'], tier: 'elite' });
    expect(key_id).toMatch(/^vk_/);
    expect((await client.utility.rateLimits()).used).toBe(3);
  });
});

describe('the venue’s budget', () => {
  test('MKT-5: reads are refused before it is exhausted; the cache and executions continue', async () => {
    const { client } = await openService({
      prices: still(60_000, 10),
      settings: { ...settings, tier: 'elite' },
    });
    const cached = { symbol: 'BTC', query: { interval: '1m', limit: 1 } } as const;
    await client.market.candles(cached);
    // Books are never cached: two each, up to 840 of 1,200.
    const book = () => client.market.orderbook({ symbol: 'BTC' });
    for (let count = 0; count < 419; count++) await book();
    expect(await refusal(book())).toMatchObject({
      status: 429,
      code: 'rate_limited',
      details: { bucket_exceeded: 'read_headroom_gate' },
    });
    expect(await client.market.candles(cached)).toMatchObject({ cached: true });
    await client.account.get();
    const launched = client.executions.launch({ body: launch, idempotencyKey: 'headroom' });
    expect(await launched).toMatchObject({ status: 'running' });
    expect((await client.utility.rateLimits()).venue).toMatchObject({ budget: 1_200, gate: 840 });
  });
});

test('a refused request is charged too, unless it never reached the budget', async () => {
  const { client } = await openService({ settings });
  const bad = { symbol: 'BTC', side: 'buy', size: -1, order_type: 'market' } as const;
  await refusal(client.orders.place({ body: bad }));
  await refusal(client.account.get({ wallet: 'nobody' }));
  // Two for the order of a bad shape, none for the unknown wallet, one for the reading.
  expect((await client.utility.rateLimits()).used).toBe(3);
});
