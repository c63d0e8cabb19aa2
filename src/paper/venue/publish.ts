import { NO_KEYS } from '../core/Engine.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { legRecord, type LegFields } from '../legs/Leg.ts';
import type { Account, Position } from './Account.ts';
import {
  heldBase,
  heldCash,
  equityOf,
  availableMargin,
  leverageOf,
  liquidationPrice,
  unrealizedPnl,
  usedMargin,
} from './margin.ts';
import {
  isOpen,
  type EntryTrack,
  type Order,
  type OrderFields,
  type PriceFromResolution,
} from './Order.ts';

/** Records as they are returned and published, built from the state at the current time. */

interface BalanceRow {
  asset: string;
  total: number;
  available: number;
  held: number;
}

export interface OrderAnswer extends OrderFields {
  queued: boolean;
  price_from_resolution: PriceFromResolution | null;
  entry_track: EntryTrack | null;
  take_profit: LegFields | null;
  stop_loss: LegFields | null;
}

export function orderRecord(account: Account, order: Order): OrderAnswer {
  if (order.legIds.length === 0) return plainRecord(order);
  const legs = order.legIds.map((id) => account.legs.get(id)).filter((leg) => leg !== undefined);
  const ofKind = (kind: 'take_profit' | 'stop_loss'): LegFields | null => {
    const leg = legs.find(({ record }) => record.kind === kind);
    return leg === undefined ? null : legRecord(leg);
  };
  return {
    ...plainRecord(order),
    queued: isOpen(order) && legs.some(({ record }) => record.status === 'queued'),
    take_profit: ofKind('take_profit'),
    stop_loss: ofKind('stop_loss'),
  };
}

/** Most orders have no legs, and the search for them costs as much as the rest. */
function plainRecord(order: Order): OrderAnswer {
  return {
    ...order.record,
    queued: false,
    price_from_resolution: order.priceFrom,
    entry_track: order.entryTrack,
    take_profit: null,
    stop_loss: null,
  };
}

export function positionRecord(engine: EngineState, account: Account, position: Position) {
  const { symbol, size, entryPrice } = position;
  const mark = engine.market.mark(symbol);
  return {
    symbol,
    side: size >= 0 ? 'long' : 'short',
    size: Math.abs(size),
    entry_price: entryPrice,
    mark_price: mark,
    notional: Math.abs(size) * mark,
    unrealized_pnl: size * (mark - entryPrice),
    realized_pnl: position.realizedPnl,
    leverage: leverageOf(engine, account, symbol),
    mode: account.isolated.has(symbol) ? 'isolated' : 'cross',
    liquidation_price: liquidationPrice(engine, account, symbol),
    opened_time: position.openedTime,
    updated_time: position.updatedTime,
  };
}

/** The asset of a wallet's cash (conventions §6). */
export const CASH = 'USDC';

/** A row for each asset: symbols with one base are one asset. */
export function balanceRecords(engine: EngineState, account: Account): BalanceRow[] {
  const reserved = usedMargin(engine, account) + heldCash(engine, account);
  const held = Math.max(0, Math.min(account.cash, reserved));
  const rows = [{ asset: CASH, total: account.cash, available: account.cash - held, held }];
  for (const { symbol, size } of account.holdings.values()) {
    const { base } = engine.market.instrument(symbol)!;
    // Orders may hold more than is left: a stop sells without regard to what rests.
    const inOrders = Math.min(size, heldBase(account, symbol));
    addRow(rows, { asset: base, total: size, available: size - inOrders, held: inOrders });
  }
  return rows;
}

function addRow(rows: BalanceRow[], added: BalanceRow): void {
  const row = rows.find(({ asset }) => asset === added.asset);
  if (row === undefined) {
    rows.push(added);
    return;
  }
  row.total += added.total;
  row.available += added.available;
  row.held += added.held;
}

/** What orders and positions hold, over all assets: an order changes that of one asset only. */
export function heldOf(rows: readonly BalanceRow[]): number {
  return rows.reduce((sum, { held }) => sum + held, 0);
}

export function accountRecord(engine: EngineState, account: Account) {
  return {
    wallet: account.wallet,
    equity: equityOf(engine, account),
    available_margin: availableMargin(engine, account),
    used_margin: usedMargin(engine, account),
    unrealized_pnl: unrealizedPnl(engine, account) + holdingsPnl(engine, account),
    realized_pnl: account.realizedPnl,
    fees_paid: account.feesPaid,
    funding_paid: account.fundingPaid,
    time: engine.market.now,
  };
}

function holdingsPnl(engine: EngineState, account: Account): number {
  let total = 0;
  for (const { symbol, size, entryPrice } of account.holdings.values()) {
    total += size * (engine.market.mark(symbol) - entryPrice);
  }
  return total;
}

export function publishOrder(engine: EngineState, account: Account, order: Order): void {
  publishAccount(engine, account, 'order', () => orderRecord(account, order));
}

/** A closed position is reported with size 0. */
export function publishPosition(engine: EngineState, account: Account, symbol: string): void {
  if (!engine.hasListener || engine.market.instrument(symbol)!.kind === 'spot') return;
  const held = account.positions.get(symbol);
  const position = held ?? { ...emptyPosition, symbol, updatedTime: engine.market.now };
  publishAccount(engine, account, 'position', () => positionRecord(engine, account, position));
}

/** @param traded what was just filled; an asset of which nothing is left is reported with size 0 */
export function publishBalance(engine: EngineState, account: Account, traded?: string): void {
  if (!engine.hasListener) return;
  const rows = balanceRecords(engine, account);
  account.published = { held: heldOf(rows) };
  const instrument = traded === undefined ? undefined : engine.market.instrument(traded);
  if (instrument?.kind === 'spot') {
    addRow(rows, { asset: instrument.base, total: 0, available: 0, held: 0 });
  }
  for (const row of rows) publishAccount(engine, account, 'balance', () => row);
}

export function publishAccount(
  engine: EngineState,
  account: Account,
  event: string,
  data: () => unknown,
): void {
  if (!engine.hasListener) return;
  const { wallet } = account;
  engine.emit({ channel: 'account.state', event, wallet, keys: NO_KEYS, data: data() });
}

const emptyPosition: Position = {
  symbol: '',
  size: 0,
  entryPrice: 0,
  realizedPnl: 0,
  openedTime: 0,
  updatedTime: 0,
  entryFees: 0,
  entryNotional: 0,
  makerNotional: 0,
  margin: null,
  marginWatch: null,
};
