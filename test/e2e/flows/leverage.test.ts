/** Leverage by symbol: it decides how much margin an order binds. */
import { expect, test } from 'vitest';
import { still, way } from './drawTape.ts';
import { openService, refusal } from './openService.ts';

const buy = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' } as const;

test('POS-1: ten by default, set by symbol, and bound by the instrument', async () => {
  const { client } = await openService();
  expect(await client.leverage.get({ symbol: 'BTC' })).toMatchObject({
    leverage: 10,
    mode: 'cross',
    max_leverage: 50,
  });
  await client.leverage.set({ symbol: 'BTC', body: { leverage: 25, mode: 'cross' } });
  expect(await client.leverage.get({ symbol: 'BTC' })).toMatchObject({ leverage: 25 });
  expect(await client.leverage.get({ symbol: 'xyz:TSLA' })).toMatchObject({ leverage: 10 });
  const body = { leverage: 51, mode: 'cross' } as const;
  expect(await refusal(client.leverage.set({ symbol: 'BTC', body }))).toMatchObject({
    status: 422,
    code: 'leverage_out_of_range',
  });
});

test('the same position uses half the margin at twice the leverage', async () => {
  const { client } = await openService({ prices: still(60_000, 5) });
  await client.orders.place({ body: buy });
  const { used_margin: atTen } = await client.account.get();
  await client.leverage.set({ symbol: 'BTC', body: { leverage: 20, mode: 'cross' } });
  const { used_margin: atTwenty } = await client.account.get();
  expect(atTen).toBeCloseTo(6_000, -2);
  expect(atTwenty).toBeCloseTo(atTen / 2, 6);
});

test('STR-2: at its maintenance margin a position is liquidated, and the stream reports it', async () => {
  const settings = { balance: 2_000 };
  const { client, advance, stream } = await openService({
    prices: [60_000, 60_000, ...way(59_900, 57_000, 10)],
    settings,
  });
  await stream.open();
  await stream.subscribe('account.state');
  await client.leverage.set({ symbol: 'BTC', body: { leverage: 40, mode: 'cross' } });
  await client.orders.place({ body: buy });
  const { liquidation_price: price } = await client.positions.get({ symbol: 'BTC' });
  expect(price).toBeGreaterThan(57_000);
  await advance(12);
  expect((await client.positions.list()).items).toEqual([]);
  expect(stream.received('account.state', 'liquidation')).toMatchObject([{ symbol: 'BTC' }]);
});
