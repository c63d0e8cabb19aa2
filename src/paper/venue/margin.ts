import { isWithin } from '../../contract/bounds.ts';
import type { Side } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account, Position } from './Account.ts';
import type { RestingSide, RestingTotals } from './OpenOrders.ts';
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
function marginEquity(engine: EngineState, account: Account): number {
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
  return marginOf(engine, account, totalsOf(engine, account));
}

/** Margin in use now, and the increase that another order would cause. */
export function marginFor(
  engine: EngineState,
  account: Account,
  candidate: Candidate,
): { used: number; required: number } {
  const totals = totalsOf(engine, account);
  const used = marginOf(engine, account, totals);
  return { used, required: marginOf(engine, account, totals, candidate) - used };
}

function totalsOf(engine: EngineState, account: Account): Readonly<RestingTotals> {
  return account.openOrders.totals((symbol) => isSpot(engine, symbol));
}

/** @param candidate is counted as if it came last */
function marginOf(
  engine: EngineState,
  account: Account,
  { margined }: Readonly<RestingTotals>,
  candidate: Candidate | null = null,
): number {
  const { positions } = account;
  let total = 0;
  for (const symbol of positions.keys()) {
    total += symbolMargin(engine, account, symbol, { sides: margined.get(symbol), candidate });
  }
  for (const [symbol, sides] of margined) {
    if (!positions.has(symbol))
      total += symbolMargin(engine, account, symbol, { sides, candidate });
  }
  if (candidate === null) return total;
  const { symbol } = candidate;
  if (positions.has(symbol) || margined.has(symbol)) return total;
  return total + symbolMargin(engine, account, symbol, { sides: undefined, candidate });
}

interface SymbolOrders {
  sides: Record<Side, RestingSide> | undefined;
  candidate: Candidate | null;
}

/** Margin of the larger exposure if all the symbol's buys fill, or all its sells, by its leverage. */
function symbolMargin(
  engine: EngineState,
  account: Account,
  symbol: string,
  orders: SymbolOrders,
): number {
  const position = account.positions.get(symbol);
  const size = position?.size ?? 0;
  const own = orders.candidate?.symbol === symbol ? orders.candidate : null;
  const buys = openingNotional(orders.sides?.buy, Math.max(0, -size), own, 'buy');
  const sells = openingNotional(orders.sides?.sell, Math.max(0, size), own, 'sell');
  const leverage = leverageOf(engine, account, symbol);
  const isolated = position?.margin ?? null;
  if (isolated !== null) return isolated + Math.max(buys, sells) / leverage;
  const held = Math.abs(size) * engine.market.mark(symbol);
  const longs = (size > 0 ? held : 0) + buys;
  const shorts = (size < 0 ? held : 0) + sells;
  return Math.max(longs, shorts, held) / leverage;
}

/** Notional of a side's orders, less the part that only closes the opposite position. */
function openingNotional(
  resting: Readonly<RestingSide> | undefined,
  closing: number,
  candidate: Candidate | null,
  side: Side,
): number {
  let size = resting?.size ?? 0;
  let notional = resting?.notional ?? 0;
  if (candidate?.side === side) {
    size += candidate.size;
    notional += candidate.size * candidate.price;
  }
  if (size <= closing) return 0;
  return (notional * (size - closing)) / size;
}

/** USDC that resting spot buys hold. */
export function heldCash(engine: EngineState, account: Account): number {
  return totalsOf(engine, account).heldCash;
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
 * What a spot buy may spend. Spot is paid at once, in cash: profit that is still open pays nothing, and the
 * own margin of an isolated position is set apart.
 */
export function spendableCash(engine: EngineState, account: Account): number {
  let cash = account.cash - heldCash(engine, account);
  for (const { margin } of account.positions.values()) cash -= margin ?? 0;
  return Math.min(cash, availableMargin(engine, account));
}

/**
 * What a change of leverage requires and what there was for it, if its increase of the margin in use does not fit, but
 * for the rounding errors of its sum; null if it fits. One that needs no more always fits, however little there is.
 *
 * @param usedBefore the margin in use before the change, which is made already
 */
export function lackingMargin(
  engine: EngineState,
  account: Account,
  usedBefore: number,
): { required: number; available: number } | null {
  const used = usedMargin(engine, account);
  const equity = marginEquity(engine, account) - heldCash(engine, account);
  if (used <= usedBefore || isWithin(used, equity)) return null;
  return { required: used - usedBefore, available: equity - usedBefore };
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
