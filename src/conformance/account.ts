import { FEE_TIERS, INTERVAL_MS } from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import type { Json } from './kit/Answer.ts';
import { accepted, equal, near, refusedField, that } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import type { Stage } from './kit/Stage.ts';
import { launch, openPosition, position, priceOf, sizeFor, tradeSize } from './kit/trading.ts';

const account = async (me: Actor): Promise<Json> =>
  accepted(await me.call('account.get'), 'the account');

const shapes = check('ACC-1', 'read', 'the records of an account', async (stage) => {
  const me = await stage.actor();
  await account(me);
  accepted(await me.call('account.balances'), 'the balances');
  accepted(await me.call('account.pnl'), 'the P&L');
  accepted(await me.call('account.feeTier'), 'the fee tier');
  accepted(await me.call('account.referrals'), 'the referrals');
  accepted(await me.call('account.settings'), 'the settings');
  accepted(await me.call('orders.fills'), 'the fills');
  stage.found('records.fields', 'account, orders, market data and connections', true);
});

const fresh = check('ACC-1', 'paper', 'a fresh wallet has its balance', async (stage) => {
  const me = await stage.cast({ balance: 12_345 });
  const { equity, available_margin, used_margin, wallet } = await account(me);
  equal([equity, available_margin, used_margin], [12_345, 12_345, 0], 'equity and margin');
  equal(wallet, me.wallet, 'wallet');
  const { items } = accepted(await me.call('account.balances'), 'the balances');
  equal(
    items.map((row: Json) => [row.asset, row.total]),
    [['USDC', 12_345]],
    'balances',
  );
});

const conserved = check('ACC-1', 'paper', 'money is conserved', async (stage) => {
  const me = await stage.cast({ balance: 50_000 });
  await openPosition(stage, me, { value: 5_000 });
  await stage.tape.bars(5);
  await openPosition(stage, me, { side: 'sell', value: 2_000 });
  await stage.tape.bars(5);
  const now = await account(me);
  const { realized_pnl, unrealized_pnl, fees_paid, funding_paid } = now;
  const equity = 50_000 + realized_pnl + unrealized_pnl - fees_paid - funding_paid;
  near(now.equity, equity, 'equity: balance + P&L − fees − funding', 1e-9);
  const { items } = accepted(await me.call('orders.fills'), 'the fills');
  const fees = items.reduce((sum: number, fill: Json) => sum + fill.fee, 0);
  near(fees_paid, fees, 'fees_paid: of all fills', 1e-9);
  const { unrealized_pnl: open } = await position(stage, me);
  near(unrealized_pnl, open, 'unrealized_pnl: of the position', 1e-9);
  const rows = accepted(await me.call('account.pnl'), 'the P&L').items;
  const volume = rows.reduce((sum: number, row: Json) => sum + row.volume, 0);
  const notional = items.reduce((sum: number, fill: Json) => sum + fill.notional, 0);
  near(volume, notional, 'volume of the P&L rows: notional of all fills', 1e-9);
  for (const { day } of rows) that(/^\d{4}-\d{2}-\d{2}$/.test(day), 'a day YYYY-MM-DD', day);
});

const funding = check('ACC-1', 'paper', 'funding is paid by the hour', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  await probe.subscribe('account.state');
  const { symbol } = stage.instrument;
  const { size } = await openPosition(stage, me, { value: 10_000 });
  const markets = accepted(
    await me.call('market.markets', { query: { limit: stage.dialect.limits.pageMax } }),
  ).items;
  const market = markets.find((row: Json) => row.symbol === symbol);
  const hour = INTERVAL_MS['1h'];
  await stage.tape.to((Math.floor((await stage.tape.now()) / hour) + 1) * hour);
  await probe.settle();
  const { funding_paid } = await account(me);
  const { mark } = await priceOf(stage, me);
  near(funding_paid, size * mark * market.funding_rate, 'funding_paid by a long', 0.01);
  const frames = probe.of('account.state', 'funding').map(({ data }) => data.symbol);
  equal(frames, [symbol], 'funding frames');
});

const settings = check('ACC-1', 'paper', 'settings are changed', async (stage) => {
  const me = await stage.actor();
  const body = { default_slippage_bps: 20 };
  const changed = accepted(await me.call('account.updateSettings', { body }), 'a change');
  equal(changed.default_slippage_bps, 20, 'default_slippage_bps');
  const read = accepted(await me.call('account.settings'), 'the settings');
  equal(read, changed, 'the settings read again');
  const bad = { default_slippage_bps: -1 };
  refusedField(await me.call('account.updateSettings', { body: bad }), 'default_slippage_bps');
});

const table = check('ACC-2', 'read', 'the tier is one of the four', async (stage) => {
  const me = await stage.actor();
  const { tier, bps, volume_14d } = accepted(await me.call('account.feeTier'), 'the fee tier');
  const row = FEE_TIERS.findLast(({ fromVolume }) => volume_14d >= fromVolume);
  equal([tier, bps], [row?.tier, row?.bps], `tier and bps at a volume of ${volume_14d}`);
});

/** The service's own fee on the last fill, in basis points. */
async function lastFeeBps(stage: Stage, me: Actor): Promise<number> {
  const { symbol } = stage.instrument;
  const { mark } = await priceOf(stage, me);
  const size = tradeSize(stage, 1_000, mark);
  const body = { symbol, side: 'buy', size, order_type: 'market' };
  const { order_id } = accepted(await me.call('orders.place', { body }), 'an order');
  const { items } = accepted(
    await me.call('orders.fills', { query: { symbol, limit: stage.dialect.limits.pageMax } }),
  );
  const fill = items.find((row: Json) => row.order_id === order_id);
  return (fill.service_fee / fill.notional) * 10_000;
}

const tiers = check('ACC-2', 'paper', 'fees fall with the traded volume', async (stage) => {
  const me = await stage.cast({ balance: 10_000_000_000 });
  const { symbol } = stage.instrument;
  let volume = 0;
  for (const [at, row] of FEE_TIERS.entries()) {
    const now = accepted(await me.call('account.feeTier'), 'the fee tier');
    equal([now.tier, now.bps], [row.tier, row.bps], `tier and bps at ${now.volume_14d}`);
    near(await lastFeeBps(stage, me), row.bps, `the fee of a ${row.tier} in bps`, 1e-6);
    const next = FEE_TIERS[at + 1];
    if (next === undefined) break;
    // A launch that is completed at market isn't bound by a bar's volume.
    const { mark } = await priceOf(stage, me);
    const total_size = sizeFor(stage.instrument, (next.fromVolume - volume) * 1.1, mark);
    const params = { duration_seconds: 600, slices: 10 };
    const side = at % 2 === 0 ? 'buy' : 'sell';
    const body = { algo: 'pacemaker', symbol, side, total_size, params };
    const { execution_id: id } = accepted(await launch(stage, me, body), 'a large launch');
    accepted(await me.call('executions.completeAtMarket', { params: { id } }), 'its completion');
    volume = next.fromVolume;
    await stage.tape.bars(1);
  }
});

export const accountChecks: readonly Check[] = [
  shapes,
  fresh,
  conserved,
  funding,
  settings,
  table,
  tiers,
];
