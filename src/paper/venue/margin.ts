import type { Side } from '../../contract/index.ts';
import type { World } from '../engine/World.ts';
import type { Account, Position } from './Account.ts';
import { remainingOf } from './Order.ts';

/** An order that is not in the account yet, to see whether it fits. */
export interface Candidate {
  symbol: string;
  side: Side;
  size: number;
  price: number;
}

export function leverageOf(world: World, account: Account, symbol: string): number {
  const most = world.market.instrument(symbol)!.max_leverage;
  return account.leverage.get(symbol) ?? Math.min(most, account.settings.default_leverage);
}

const isSpot = (world: World, symbol: string): boolean =>
  world.market.instrument(symbol)!.kind === 'spot';

export function unrealizedPnl(world: World, account: Account): number {
  let total = 0;
  for (const position of account.positions.values()) total += positionPnl(world, position);
  return total;
}

export function positionPnl(world: World, { symbol, size, entryPrice }: Position): number {
  return size * (world.market.mark(symbol) - entryPrice);
}

/** Cash and the open profit of cross positions: what backs new perpetuals. Spot holdings do not. */
export function marginEquity(world: World, account: Account): number {
  let equity = account.cash;
  for (const position of account.positions.values()) {
    if (position.margin === null) equity += positionPnl(world, position);
  }
  return equity;
}

/** Cash, open profit, and what is held in spot, at the mark. */
export function equityOf(world: World, account: Account): number {
  let equity = account.cash + unrealizedPnl(world, account);
  for (const { symbol, size } of account.holdings.values()) {
    equity += size * world.market.mark(symbol);
  }
  return equity;
}

/** Below this equity the venue liquidates: half the initial margin at maximum leverage. */
export function maintenanceMargin(world: World, { symbol, size }: Position): number {
  return Math.abs(size) * world.market.mark(symbol) * maintenanceRate(world, symbol);
}

/**
 * What may be lost before the venue liquidates, quote units: by an isolated position of its own
 * margin, by all cross positions together of the rest of the cash.
 */
export function surplusOf(world: World, account: Account, position: Position): number {
  if (position.margin !== null) {
    return position.margin + positionPnl(world, position) - maintenanceMargin(world, position);
  }
  let surplus = account.cash;
  for (const each of account.positions.values()) {
    if (each.margin !== null) surplus -= each.margin;
    else surplus += positionPnl(world, each) - maintenanceMargin(world, each);
  }
  return surplus;
}

export function maintenanceRate(world: World, symbol: string): number {
  return 1 / (2 * world.market.instrument(symbol)!.max_leverage);
}

/** Initial margin of positions and of the orders that would enlarge them. */
export function usedMargin(world: World, account: Account, candidate?: Candidate): number {
  const { positions, openOrders } = account;
  let total = 0;
  for (const symbol of positions.keys()) total += symbolMargin(world, account, symbol, candidate);
  if (openOrders.size === 0 && candidate === undefined) return total;
  const others = new Set<string>();
  for (const { record } of openOrders.values()) {
    const { symbol } = record;
    if (positions.has(symbol) || others.has(symbol)) continue;
    if (!isSpot(world, symbol)) others.add(symbol);
  }
  if (candidate !== undefined && !positions.has(candidate.symbol)) others.add(candidate.symbol);
  for (const symbol of others) total += symbolMargin(world, account, symbol, candidate);
  return total;
}

/** The larger of what the symbol holds if all its buys fill, or all its sells, by its leverage. */
function symbolMargin(
  world: World,
  account: Account,
  symbol: string,
  candidate: Candidate | undefined,
): number {
  const position = account.positions.get(symbol);
  const size = position?.size ?? 0;
  const resting = { buy: { size: 0, notional: 0 }, sell: { size: 0, notional: 0 } };
  const count = (side: Side, size: number, price: number): void => {
    resting[side].size += size;
    resting[side].notional += size * price;
  };
  for (const order of account.openOrders.values()) {
    const { record } = order;
    if (record.symbol !== symbol || record.reduce_only || record.price === null) continue;
    count(record.side, remainingOf(order), record.price);
  }
  if (candidate?.symbol === symbol) count(candidate.side, candidate.size, candidate.price);
  const buys = openingNotional(resting.buy, Math.max(0, -size));
  const sells = openingNotional(resting.sell, Math.max(0, size));
  const leverage = leverageOf(world, account, symbol);
  const isolated = position?.margin ?? null;
  if (isolated !== null) return isolated + Math.max(buys, sells) / leverage;
  const held = Math.abs(size) * world.market.mark(symbol);
  const longs = (size > 0 ? held : 0) + buys;
  const shorts = (size < 0 ? held : 0) + sells;
  return Math.max(longs, shorts, held) / leverage;
}

/** Notional of a side's orders, less the part that only closes the opposite position. */
function openingNotional(side: { size: number; notional: number }, closing: number): number {
  if (side.size <= closing) return 0;
  return (side.notional * (side.size - closing)) / side.size;
}

/** USDC that resting spot buys hold. */
export function heldCash(world: World, account: Account): number {
  let held = 0;
  for (const order of account.openOrders.values()) {
    const { symbol, side, price } = order.record;
    if (side === 'buy' && price !== null && isSpot(world, symbol))
      held += remainingOf(order) * price;
  }
  return held;
}

/** Base units that resting spot sells hold. */
export function heldBase(account: Account, symbol: string): number {
  let held = 0;
  for (const order of account.openOrders.values()) {
    const { record } = order;
    if (record.side === 'sell' && record.symbol === symbol) held += remainingOf(order);
  }
  return held;
}

/** @param used its {@link usedMargin}, where that is known already: both walk all open orders */
export function availableMargin(
  world: World,
  account: Account,
  used = usedMargin(world, account),
): number {
  return marginEquity(world, account) - used - heldCash(world, account);
}

/**
 * Mark at which the account would be liquidated if only this symbol moved; null where no price
 * above zero does it.
 */
export function liquidationPrice(world: World, account: Account, symbol: string): number | null {
  const position = account.positions.get(symbol);
  if (position === undefined) return null;
  const surplus = surplusOf(world, account, position);
  const slope = position.size - Math.abs(position.size) * maintenanceRate(world, symbol);
  const price = world.market.mark(symbol) - surplus / slope;
  return price > 0 ? price : null;
}
