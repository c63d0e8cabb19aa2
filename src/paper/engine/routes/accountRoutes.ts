import type { SettingsRequest } from '../../../contract/index.ts';
import type { HandlerTable } from '../../core/Engine.ts';
import { ServiceError } from '../../core/ServiceError.ts';
import type { Account, PnlRow, Position } from '../../venue/Account.ts';
import { lackingMargin, usedMargin } from '../../venue/margin.ts';
import {
  accountRecord,
  balanceRecords,
  CASH,
  publishBalance,
  publishPosition,
} from '../../venue/publish.ts';
import { feeTier } from '../../venue/VolumeWindow.ts';
import { dayName, pnlRow } from '../../venue/applyFill.ts';
import { accountOf } from '../snapshotOf.ts';
import type { EngineState } from '../EngineState.ts';
import { pageOfRows } from './pageOf.ts';

/** Account state, balances, P&L, fee tier, settings (ACC-1, ACC-2). */
export function accountRoutes(engine: EngineState): HandlerTable {
  const of = (wallet: string): Account => accountOf(engine, wallet);
  return {
    'account.get': ({ wallet }) => ({ body: accountRecord(engine, of(wallet)) }),
    'account.balances': (call) => {
      const rows = balanceRecords(engine, of(call.wallet));
      return {
        body: pageOfRows(engine, call, {
          rows,
          keyOf: ({ asset }) => [asset === CASH ? 0 : 1, asset],
          filterable: () => ({ time: engine.market.now }),
        }),
      };
    },
    'account.pnl': (call) => ({
      body: pageOfRows(engine, call, {
        rows: pnlRows(engine, of(call.wallet)),
        // Newest day first.
        keyOf: ({ day, symbol }) => [-Date.parse(day), symbol],
        filterable: ({ day, symbol }) => ({ symbol, time: Date.parse(day) }),
      }),
    }),
    'account.feeTier': ({ wallet }) => ({ body: feeTierRecord(engine, of(wallet)) }),
    'account.referrals': () => ({ body: { code: null, referred_count: 0, rewards: 0 } }),
    'account.settings': ({ wallet }) => ({ body: { ...of(wallet).settings } }),
    'account.updateSettings': ({ wallet, body }) => ({
      body: updateSettings(engine, of(wallet), body as SettingsRequest),
    }),
  };
}

/** A past day shows the open profit at its end, today the current one. */
function pnlRows(engine: EngineState, account: Account): PnlRow[] {
  const { now } = engine.market;
  for (const { symbol } of held(account)) pnlRow(account, symbol, now);
  const today = dayName(now);
  return [...account.pnl.values()].map((row) =>
    row.day === today ? { ...row, unrealized_pnl: openPnl(engine, account, row) } : { ...row },
  );
}

const held = (account: Account): Position[] => [
  ...account.positions.values(),
  ...account.holdings.values(),
];

function openPnl(engine: EngineState, account: Account, { symbol }: PnlRow): number {
  const position = account.positions.get(symbol) ?? account.holdings.get(symbol);
  if (position === undefined) return 0;
  return position.size * (engine.market.mark(symbol) - position.entryPrice);
}

function feeTierRecord(engine: EngineState, account: Account) {
  const volume = account.volume.at(engine.market.now);
  const { tier, next } = feeTier(volume);
  return {
    tier: tier.tier,
    bps: tier.bps,
    volume_14d: volume,
    next_tier:
      next === null ? null : { tier: next.tier, bps: next.bps, from_volume: next.fromVolume },
  };
}

function updateSettings(engine: EngineState, account: Account, change: SettingsRequest) {
  const most = Math.max(...engine.market.instruments.map(({ max_leverage: each }) => each));
  const leverage = change.default_leverage;
  if (leverage !== undefined && (leverage < 1 || leverage > most)) {
    const message = `Leverage ${leverage} is out of range: it is 1 to ${most}.`;
    throw new ServiceError('leverage_out_of_range', {
      message,
      details: { leverage, max_leverage: most },
    });
  }
  const before = { ...account.settings };
  const used = usedMargin(engine, account);
  Object.assign(account.settings, change);
  const details = leverage === undefined ? null : lackingMargin(engine, account, used);
  if (details !== null) {
    Object.assign(account.settings, before);
    throw new ServiceError('insufficient_margin', { details });
  }
  if (leverage !== undefined) publishDefault(engine, account);
  return { ...account.settings };
}

/** The default is the leverage of every position and order whose symbol has none of its own (STR-2). */
function publishDefault(engine: EngineState, account: Account): void {
  const isDefault = (symbol: string): boolean => !account.leverage.has(symbol);
  const symbols = [...account.positions.keys()].filter(isDefault);
  for (const symbol of symbols) publishPosition(engine, account, symbol);
  const rests = [...account.openOrders.values()].some(({ record }) => isDefault(record.symbol));
  if (symbols.length > 0 || rests) publishBalance(engine, account);
}
