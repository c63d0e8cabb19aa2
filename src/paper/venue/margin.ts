import type { Side } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account, Position } from './Account.ts';
import { remainingOf } from './Order.ts';

/** An order that is not in the account yet, for the margin check. */
export interface Candidate {
  symbol: string;
  side: Side;
  size: number;
  price: number;
}

export function leverageOf(engine: EngineState, account: Account, symbol: string): number {
  const most = engine.market.instrument(symbol)!.max_leverage;
  return account.leverage.get(symbol) ?? Math.min(most, account.settings.default_leverage);
}

const isSpot = (engine: EngineState, symbol: string): boolean =>
  engine.market.instrument(symbol)!.kind === 'spot';

export function unrealizedPnl(engine: EngineState, account: Account): number {
  let total = 0;
  for (const position of account.positions.values()) total += positionPnl(engine, position);
  return total;
}

export function positionPnl(engine: EngineState, { symbol, size, entryPrice }: Position): number {
  return size * (engine.market.mark(symbol) - entryPrice);
}

/**
 * Cash and the open profit of cross positions: the collateral of new perpetuals. Spot holdings do not
 * count.
 */
export function marginEquity(engine: EngineState, account: Account): number {
  let equity = account.cash;
  for (const position of account.positions.values()) {
    if (position.margin === null) equity += positionPnl(engine, position);
  }
  return equity;
}

/** Cash, open profit, and spot holdings, at the mark. */
export function equityOf(engine: EngineState, account: Account): number {
  let equity = account.cash + unrealizedPnl(engine, account);
  for (const { symbol, size } of account.holdings.values()) {
    equity += size * engine.market.mark(symbol);
  }
  return equity;
}

/** Below this equity the venue liquidates: half the initial margin at maximum leverage. */
export function maintenanceMargin(engine: EngineState, { symbol, size }: Position): number {
  return Math.abs(size) * engine.market.mark(symbol) * maintenanceRate(engine, symbol);
}

/**
 * Loss that is possible before the venue liquidates, quote units: for an isolated position from its own
 * margin, for all cross positions together from the rest of the cash.
 */
export function surplusOf(engine: EngineState, account: Account, position: Position): number {
  if (position.margin !== null) {
    return position.margin + positionPnl(engine, position) - maintenanceMargin(engine, position);
  }
  let surplus = account.cash;
  for (const each of account.positions.values()) {
    if (each.margin !== null) surplus -= each.margin;
    else surplus += positionPnl(engine, each) - maintenanceMargin(engine, each);
  }
  return surplus;
}

export function maintenanceRate(engine: EngineState, symbol: string): number {
  return 1 / (2 * engine.market.instrument(symbol)!.max_leverage);
}

/** Initial margin of positions and of the orders that would enlarge them. */
export function usedMargin(engine: EngineState, account: Account): number {
  return marginOf(engine, account, restingOf(engine, account));
}

/** Margin in use now, and the increase that another order would cause. */
export function marginFor(
  engine: EngineState,
  account: Account,
  candidate: Candidate,
): { used: number; required: number } {
  const resting = restingOf(engine, account);
  const used = marginOf(engine, account, resting);
  count(resting, candidate.symbol, candidate);
  return { used, required: marginOf(engine, account, resting) - used };
}

interface RestingSide {
  size: number;
  notional: number;
}

/** Open orders' totals by symbol, in the order in which the symbols came. */
type Resting = Map<string, Record<Side, RestingSide>>;

/** One pass over the open orders, for any number of symbols. */
function restingOf(engine: EngineState, account: Account): Resting {
  const resting: Resting = new Map();
  for (const order of account.openOrders.values()) {
    const { symbol, side, price, reduce_only } = order.record;
    // Spot orders need no margin; they hold cash or base.
    if (!resting.has(symbol) && isSpot(engine, symbol)) continue;
    if (reduce_only || price === null) continue;
    count(resting, symbol, { side, price, size: remainingOf(order) });
  }
  return resting;
}

function count(
  resting: Resting,
  symbol: string,
  { side, size, price }: { side: Side; size: number; price: number },
): void {
  let sides = resting.get(symbol);
  if (sides === undefined) {
    sides = { buy: { size: 0, notional: 0 }, sell: { size: 0, notional: 0 } };
    resting.set(symbol, sides);
  }
  sides[side].size += size;
  sides[side].notional += size * price;
}

function marginOf(engine: EngineState, account: Account, resting: Resting): number {
  const { positions } = account;
  let total = 0;
  for (const symbol of positions.keys()) total += symbolMargin(engine, account, symbol, resting);
  for (const symbol of resting.keys()) {
    if (!positions.has(symbol)) total += symbolMargin(engine, account, symbol, resting);
  }
  return total;
}

const NOTHING: Readonly<RestingSide> = { size: 0, notional: 0 };

/** Margin of the larger exposure if all the symbol's buys fill, or all its sells, by its leverage. */
function symbolMargin(
  engine: EngineState,
  account: Account,
  symbol: string,
  resting: Resting,
): number {
  const position = account.positions.get(symbol);
  const size = position?.size ?? 0;
  const sides = resting.get(symbol);
  const buys = openingNotional(sides?.buy ?? NOTHING, Math.max(0, -size));
  const sells = openingNotional(sides?.sell ?? NOTHING, Math.max(0, size));
  const leverage = leverageOf(engine, account, symbol);
  const isolated = position?.margin ?? null;
  if (isolated !== null) return isolated + Math.max(buys, sells) / leverage;
  const held = Math.abs(size) * engine.market.mark(symbol);
  const longs = (size > 0 ? held : 0) + buys;
  const shorts = (size < 0 ? held : 0) + sells;
  return Math.max(longs, shorts, held) / leverage;
}

/** Notional of a side's orders, less the part that only closes the opposite position. */
function openingNotional(side: Readonly<RestingSide>, closing: number): number {
  if (side.size <= closing) return 0;
  return (side.notional * (side.size - closing)) / side.size;
}

/** USDC that resting spot buys hold. */
export function heldCash(engine: EngineState, account: Account): number {
  let held = 0;
  for (const order of account.openOrders.values()) {
    const { symbol, side, price } = order.record;
    if (side === 'buy' && price !== null && isSpot(engine, symbol))
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

/** @param used its {@link usedMargin}, if that is already known: it iterates over all open orders */
export function availableMargin(
  engine: EngineState,
  account: Account,
  used = usedMargin(engine, account),
): number {
  return marginEquity(engine, account) - used - heldCash(engine, account);
}

/**
 * Mark at which the account would be liquidated if only this symbol moved; null if no price above zero
 * does.
 */
export function liquidationPrice(
  engine: EngineState,
  account: Account,
  symbol: string,
): number | null {
  const position = account.positions.get(symbol);
  if (position === undefined) return null;
  const surplus = surplusOf(engine, account, position);
  const slope = position.size - Math.abs(position.size) * maintenanceRate(engine, symbol);
  const price = engine.market.mark(symbol) - surplus / slope;
  return price > 0 ? price : null;
}
