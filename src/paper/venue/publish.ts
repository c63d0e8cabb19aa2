import { NO_KEYS } from '../core/Engine.ts';
import type { World } from '../engine/World.ts';
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

/** Records as they are answered and published, made from the state at the present time. */

export interface OrderAnswer extends OrderFields {
  queued: boolean;
  price_from_resolution: PriceFromResolution | null;
  entry_track: EntryTrack | null;
  take_profit: LegFields | null;
  stop_loss: LegFields | null;
}

export function orderRecord(account: Account, order: Order): OrderAnswer {
  const legs = order.legIds.map((id) => account.legs.get(id)).filter((leg) => leg !== undefined);
  const ofKind = (kind: 'take_profit' | 'stop_loss'): LegFields | null => {
    const leg = legs.find(({ record }) => record.kind === kind);
    return leg === undefined ? null : legRecord(leg);
  };
  return {
    ...order.record,
    queued: isOpen(order) && legs.some(({ record }) => record.status === 'queued'),
    price_from_resolution: order.priceFrom,
    entry_track: order.entryTrack,
    take_profit: ofKind('take_profit'),
    stop_loss: ofKind('stop_loss'),
  };
}

export function positionRecord(world: World, account: Account, position: Position) {
  const { symbol, size, entryPrice } = position;
  const mark = world.market.mark(symbol);
  return {
    symbol,
    side: size >= 0 ? 'long' : 'short',
    size: Math.abs(size),
    entry_price: entryPrice,
    mark_price: mark,
    notional: Math.abs(size) * mark,
    unrealized_pnl: size * (mark - entryPrice),
    realized_pnl: position.realizedPnl,
    leverage: leverageOf(world, account, symbol),
    mode: account.isolated.has(symbol) ? 'isolated' : 'cross',
    liquidation_price: liquidationPrice(world, account, symbol),
    opened_time: position.openedTime,
    updated_time: position.updatedTime,
  };
}

export function balanceRecords(world: World, account: Account) {
  const reserved = usedMargin(world, account) + heldCash(world, account);
  const held = Math.max(0, Math.min(account.cash, reserved));
  const rows = [{ asset: 'USDC', total: account.cash, available: account.cash - held, held }];
  for (const { symbol, size } of account.holdings.values()) {
    const { base } = world.market.instrument(symbol)!;
    const inOrders = heldBase(account, symbol);
    rows.push({ asset: base, total: size, available: size - inOrders, held: inOrders });
  }
  return rows;
}

export function accountRecord(world: World, account: Account) {
  return {
    wallet: account.wallet,
    equity: equityOf(world, account),
    available_margin: availableMargin(world, account),
    used_margin: usedMargin(world, account),
    unrealized_pnl: unrealizedPnl(world, account) + holdingsPnl(world, account),
    realized_pnl: account.realizedPnl,
    fees_paid: account.feesPaid,
    funding_paid: account.fundingPaid,
    time: world.market.now,
  };
}

function holdingsPnl(world: World, account: Account): number {
  let total = 0;
  for (const { symbol, size, entryPrice } of account.holdings.values()) {
    total += size * (world.market.mark(symbol) - entryPrice);
  }
  return total;
}

export function publishOrder(world: World, account: Account, order: Order): void {
  publishAccount(world, account, 'order', () => orderRecord(account, order));
}

/** A closed position is told as one of size 0. */
export function publishPosition(world: World, account: Account, symbol: string): void {
  if (world.market.instrument(symbol)!.kind === 'spot') return;
  const closed = { ...emptyPosition, symbol, updatedTime: world.market.now };
  const position = account.positions.get(symbol) ?? closed;
  publishAccount(world, account, 'position', () => positionRecord(world, account, position));
}

/** @param traded what was just filled; a holding that was sold out with it is told as one of 0 */
export function publishBalance(world: World, account: Account, traded?: string): void {
  if (!world.heard) return;
  const rows = balanceRecords(world, account);
  const instrument = traded === undefined ? undefined : world.market.instrument(traded);
  if (instrument?.kind === 'spot' && !account.holdings.has(instrument.symbol)) {
    rows.push({ asset: instrument.base, total: 0, available: 0, held: 0 });
  }
  for (const row of rows) publishAccount(world, account, 'balance', () => row);
}

export function publishAccount(
  world: World,
  account: Account,
  event: string,
  data: () => unknown,
): void {
  if (!world.heard) return;
  const { wallet } = account;
  world.emit({ channel: 'account.state', event, wallet, keys: NO_KEYS, data: data() });
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
