import type { ListQuery, SettingsRequest } from '../../../contract/index.ts';
import type { HandlerTable } from '../../core/Engine.ts';
import { ServiceError } from '../../core/ServiceError.ts';
import type { Account } from '../../venue/Account.ts';
import { accountRecord, balanceRecords } from '../../venue/publish.ts';
import { feeTier } from '../../venue/VolumeWindow.ts';
import { pnlRow } from '../../venue/applyFill.ts';
import { accountOf } from '../snapshotOf.ts';
import type { World } from '../World.ts';
import { pageOfRows } from './pageOf.ts';

/** Account state, balances, P&L, fee tier, settings (ACC-1, ACC-2). */
export function accountRoutes(world: World): HandlerTable {
  const of = (wallet: string): Account => accountOf(world, wallet);
  return {
    'account.get': ({ wallet }) => ({ body: accountRecord(world, of(wallet)) }),
    'account.balances': (call) => {
      const rows = balanceRecords(world, of(call.wallet));
      return { body: pageOfRows(world, call, rows, () => ({ time: world.market.now })) };
    },
    'account.pnl': (call) => {
      const rows = pnlRows(world, of(call.wallet), call.query as ListQuery);
      const filterable = ({ day, symbol }: { day: string; symbol: string }) => ({
        symbol,
        time: Date.parse(day),
      });
      return { body: pageOfRows(world, call, rows, filterable) };
    },
    'account.feeTier': ({ wallet }) => ({ body: feeTierRecord(world, of(wallet)) }),
    'account.referrals': () => ({ body: { code: null, referred_count: 0, rewards: 0 } }),
    'account.settings': ({ wallet }) => ({ body: { ...of(wallet).settings } }),
    'account.updateSettings': ({ wallet, body }) => ({
      body: updateSettings(world, of(wallet), body as SettingsRequest),
    }),
  };
}

/** Newest day first; today's row has the open profit as it stands. */
function pnlRows(world: World, account: Account, _query: ListQuery) {
  for (const book of [account.positions, account.holdings]) {
    for (const { symbol, size, entryPrice } of book.values()) {
      const row = pnlRow(account, symbol, world.market.now);
      row.unrealized_pnl = size * (world.market.mark(symbol) - entryPrice);
    }
  }
  return [...account.pnl.values()]
    .map((row) => ({ ...row }))
    .sort((a, b) => (a.day === b.day ? (a.symbol < b.symbol ? -1 : 1) : a.day < b.day ? 1 : -1));
}

function feeTierRecord(world: World, account: Account) {
  const volume = account.volume.at(world.market.now);
  const { tier, next } = feeTier(volume);
  return {
    tier: tier.tier,
    bps: tier.bps,
    volume_14d: volume,
    next_tier:
      next === null ? null : { tier: next.tier, bps: next.bps, from_volume: next.fromVolume },
  };
}

function updateSettings(world: World, account: Account, change: SettingsRequest) {
  const most = Math.max(...world.market.instruments.map(({ max_leverage: each }) => each));
  const leverage = change.default_leverage;
  if (leverage !== undefined && (leverage < 1 || leverage > most)) {
    throw new ServiceError('leverage_out_of_range', { details: { leverage, max_leverage: most } });
  }
  Object.assign(account.settings, change);
  return { ...account.settings };
}
