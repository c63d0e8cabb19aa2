/** Balance, P&L and fees of a wallet. */
import { expect, test } from 'vitest';
import { still } from './drawTape.ts';
import { openService } from './openService.ts';

const buy = { symbol: 'BTC', side: 'buy', size: 0.5, order_type: 'market' } as const;

test('ACC-1: a round trip, in account, balances, P&L rows and fills', async () => {
  // The price is 60,000 for a minute, then 61,000.
  const { client, advance } = await openService({ prices: [60_000, ...still(61_000, 5)] });
  const before = await client.account.get();
  expect(before).toMatchObject({ wallet: 'main', equity: 100_000, used_margin: 0 });

  await client.orders.place({ body: buy });
  // Half a bitcoin at leverage 10 binds about 3,000.
  expect((await client.account.get()).used_margin).toBeCloseTo(3_000, -1);

  await advance(2);
  const open = await client.account.get();
  // Bought at the ask (60,006), now marked at 61,000.
  expect(open.unrealized_pnl).toBeCloseTo(0.5 * (61_000 - 60_006), 0);

  await client.positions.close({ symbol: 'BTC', body: {} });
  const after = await client.account.get();
  expect(after).toMatchObject({ unrealized_pnl: 0, used_margin: 0 });
  const { items: fills } = await client.orders.fills();
  expect(fills.map(({ side, liquidity }) => [side, liquidity])).toEqual([
    ['sell', 'taker'],
    ['buy', 'taker'],
  ]);
  const fees = fills.reduce((sum, { fee }) => sum + fee, 0);
  expect(after.fees_paid).toBeCloseTo(fees, 9);
  expect(after.equity).toBeCloseTo(100_000 + after.realized_pnl - fees - after.funding_paid, 6);

  const { items: balances } = await client.account.balances();
  expect(balances).toMatchObject([{ asset: 'USDC', total: after.equity, held: 0 }]);
  const { items: rows } = await client.account.pnl();
  expect(rows).toMatchObject([{ day: '2025-01-01', symbol: 'BTC', fees: after.fees_paid }]);
  expect(rows[0]!.realized_pnl).toBeCloseTo(after.realized_pnl, 9);
});

test('ACC-2: every fill pays the service’s fee by the volume traded before it', async () => {
  const settings = { balance: 10_000_000 };
  const { client, advance } = await openService({ prices: still(60_000, 10), settings });
  expect(await client.account.feeTier()).toMatchObject({
    tier: 'standard',
    bps: 0.8,
    volume_14d: 0,
  });
  // 90 bitcoin are 5.4 million: the next fill belongs to the professional tier.
  await client.orders.place({ body: { ...buy, size: 90 } });
  expect(await client.account.feeTier()).toMatchObject({ tier: 'professional', bps: 0.6 });
  await advance(1);
  await client.positions.close({ symbol: 'BTC', body: {} });
  const { items: fills } = await client.orders.fills();
  const bps = fills.map((fill) => Math.round((fill.service_fee! / fill.notional) * 1e6) / 100);
  expect(bps).toEqual([0.6, 0.8]);
});

test('ACC-1: settings can be changed in part, and referrals are listed', async () => {
  const { client } = await openService();
  const before = await client.account.settings();
  const after = await client.account.updateSettings({ body: { default_slippage_bps: 25 } });
  expect(after).toEqual({ ...before, default_slippage_bps: 25 });
  expect(await client.account.settings()).toEqual(after);
  expect(await client.account.referrals()).toMatchObject({ referred_count: 0, rewards: 0 });
});

test('funding is settled on the hour: longs pay where the rate is positive', async () => {
  // 120 quiet minutes come first: the next hour is 60 bars away.
  const { client, advance } = await openService({ prices: still(60_000, 90) });
  await client.orders.place({ body: buy });
  await advance(59);
  expect((await client.account.get()).funding_paid).toBe(0);
  await advance(1);
  // 0.00125 % an hour of 30,000.
  expect((await client.account.get()).funding_paid).toBeCloseTo(0.375, 6);
});
