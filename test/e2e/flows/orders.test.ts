/** Orders by hand: placed, found, changed, cancelled, filled. */
import { describe, expect, test } from 'vitest';
import { still, way } from './drawTape.ts';
import { openService, refusal } from './openService.ts';

const btc = { symbol: 'BTC', side: 'buy', size: 0.1 } as const;
const limit = { ...btc, order_type: 'limit', price: 59_000 } as const;

describe('a limit order', () => {
  test('ORD-1, ORD-4: rests, is found by either id, is modified and cancelled', async () => {
    const { client } = await openService();
    const body = { ...limit, client_order_id: 'dip-1' };
    const placed = await client.orders.place({ body });
    // Without legs there is nothing that waits for the fill.
    expect(placed).toMatchObject({ status: 'open', queued: false, filled_size: 0 });
    // RULE-1: what comes back as sent is what was sent.
    expect(placed.request).toEqual(body);
    expect(await client.orders.get({ id: placed.order_id })).toMatchObject({ status: 'open' });
    expect((await client.orders.list()).items.map(({ order_id }) => order_id)).toEqual([
      placed.order_id,
    ]);

    const modified = await client.orders.modify({ id: 'client:dip-1', body: { price: 58_500 } });
    expect(modified).toMatchObject({ order_id: placed.order_id, price: 58_500, size: 0.1 });

    expect(await client.orders.cancel({ id: 'client:dip-1' })).toMatchObject({
      status: 'cancelled',
    });
    expect(await refusal(client.orders.cancel({ id: 'client:dip-1' }))).toMatchObject({
      status: 409,
      code: 'invalid_transition',
    });
    expect((await client.orders.list()).items).toEqual([]);
    expect((await client.orders.history()).items).toMatchObject([{ status: 'cancelled' }]);
  });

  test('fills as maker when the price trades through it, not when it is touched', async () => {
    const prices = [60_000, ...way(60_000, 59_000, 3), 59_500, 58_900, 59_000];
    const { client, advance } = await openService({ prices });
    const { order_id: id } = await client.orders.place({ body: limit });
    await advance(4);
    expect(await client.orders.get({ id })).toMatchObject({ status: 'open' });
    await advance(2);
    expect(await client.orders.get({ id })).toMatchObject({
      status: 'filled',
      average_price: 59_000,
    });
    expect((await client.orders.fills()).items).toMatchObject([
      { order_id: id, liquidity: 'maker', price: 59_000 },
    ]);
  });

  test('post_only is refused if it would take, ioc takes what it can and ends', async () => {
    const { client } = await openService({ prices: still(60_000, 5) });
    const { ask } = await client.market.price({ symbol: 'BTC' });
    const crossing = { ...limit, price: ask };
    expect(
      await refusal(client.orders.place({ body: { ...crossing, time_in_force: 'post_only' } })),
    ).toMatchObject({ status: 422, code: 'would_cross' });
    const body = { ...crossing, price: ask - 5, time_in_force: 'ioc' } as const;
    expect(await client.orders.place({ body })).toMatchObject({
      status: 'cancelled',
      filled_size: 0,
    });
  });
});

describe('a market order', () => {
  test('fills at the best price plus its impact, as taker', async () => {
    const { client } = await openService({ prices: still(60_000, 5), volume: 10 });
    const { ask } = await client.market.price({ symbol: 'BTC' });
    const order = await client.orders.place({ body: { ...btc, order_type: 'market' } });
    // 0.1 of a bar's volume of 10 is a hundredth: a hundredth of 10 bps.
    expect(order.status).toBe('filled');
    expect(order.average_price).toBeCloseTo(ask * (1 + 0.001 * 0.01), 6);
  });

  test('pays no more than its slippage allows; the rest is cancelled with a reason', async () => {
    const settings = { balance: 1_000_000 };
    const { client } = await openService({ prices: still(60_000, 5), volume: 10, settings });
    const body = { ...btc, size: 0.9, order_type: 'market', slippage_bps: 1.5 } as const;
    const order = await client.orders.place({ body });
    expect(order).toMatchObject({ status: 'cancelled', reject_reason: 'price_bound' });
    expect(order.filled_size).toBeGreaterThan(0);
    expect(order.average_price).toBeLessThanOrEqual(60_000 * 1.00015);
  });
});

test('ORD-4: one call cancels all resting orders, of one symbol or of all', async () => {
  const { client } = await openService();
  await client.orders.place({ body: limit });
  await client.orders.place({ body: { ...limit, price: 58_000 } });
  const spot = {
    symbol: 'HYPE/USDC',
    side: 'buy',
    size: 1,
    order_type: 'limit',
    price: 20,
  } as const;
  await client.orders.place({ body: spot });
  const { results } = await client.orders.bulkCancel({ query: { symbol: 'BTC' } });
  expect(results.map(({ ok }) => ok)).toEqual([true, true]);
  expect((await client.orders.list()).items.map(({ symbol }) => symbol)).toEqual(['HYPE/USDC']);
  await client.orders.bulkCancel();
  expect((await client.orders.list()).items).toEqual([]);
});

test('a list has pages, each with the cursor of the next', async () => {
  const { client } = await openService();
  for (const price of [59_000, 58_000, 57_000]) {
    await client.orders.place({ body: { ...limit, price } });
  }
  const first = await client.orders.list({ query: { limit: 2 } });
  expect(first.items).toHaveLength(2);
  const second = await client.orders.list({ query: { limit: 2, cursor: first.next_cursor! } });
  expect(second.items).toHaveLength(1);
  expect(second.next_cursor).toBeNull();
});

describe('what is refused', () => {
  test('RULE-2, RULE-3: an invalid shape, field by field, before anything else', async () => {
    const { client } = await openService();
    const both = { ...limit, size: -1, stop_loss: { price: 1, at: {} } } as never;
    const { code, status, details } = await refusal(client.orders.place({ body: both }));
    expect([status, code]).toEqual([422, 'validation_failed']);
    const paths = (details['fields'] as Array<{ path: string }>).map(({ path }) => path);
    expect(paths).toContain('size');
    expect(paths.some((path) => path.startsWith('stop_loss'))).toBe(true);
    // More decimals than the instrument has; never rounded.
    const fine = { ...limit, size: 0.1234567 };
    expect(await refusal(client.orders.place({ body: fine }))).toMatchObject({ status: 422 });
  });

  test('RULE-3: margin is checked live, at placement', async () => {
    const { client } = await openService();
    const huge = { ...limit, size: 1_000 };
    expect(await refusal(client.orders.place({ body: huge }))).toMatchObject({
      status: 422,
      code: 'insufficient_margin',
    });
    expect((await client.orders.history()).items).toEqual([]);
  });

  test('ORD-3: a client id identifies an order permanently', async () => {
    const { client } = await openService();
    const body = { ...limit, client_order_id: 'once' };
    await client.orders.place({ body });
    await client.orders.cancel({ id: 'client:once' });
    expect(await refusal(client.orders.place({ body }))).toMatchObject({
      status: 409,
      code: 'duplicate_client_order_id',
    });
  });

  test('RULE-4: a reduce-only order with nothing to reduce', async () => {
    const { client } = await openService();
    expect(
      await refusal(client.orders.place({ body: { ...limit, reduce_only: true } })),
    ).toMatchObject({ status: 422, code: 'no_position' });
  });
});

test('spot buys use cash, and at most the holding can be sold', async () => {
  const { client, advance } = await openService();
  const spot = { symbol: 'HYPE/USDC', size: 1, order_type: 'market' } as const;
  expect(await refusal(client.orders.place({ body: { ...spot, side: 'sell' } }))).toMatchObject({
    status: 422,
    code: 'insufficient_balance',
  });
  await client.orders.place({ body: { ...spot, side: 'buy' } });
  const { items } = await client.account.balances();
  expect(items).toMatchObject([{ asset: 'USDC' }, { asset: 'HYPE', total: 1, available: 1 }]);
  await advance(1);
  await client.orders.place({ body: { ...spot, side: 'sell' } });
  expect((await client.account.balances()).items.map(({ asset }) => asset)).toEqual(['USDC']);
});
