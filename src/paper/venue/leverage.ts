import type { LeverageRequest } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { fieldFault } from '../engine/fieldFault.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import { lackingMargin, leverageOf, surplusOf, usedMargin } from './margin.ts';
import { watchMargin } from './marginWatch.ts';
import { publishBalance, publishPosition } from './publish.ts';

/** Spot is paid in full, whatever the wallet's default is. */
const UNLEVERAGED = 1;

/**
 * Changes a symbol's leverage and margin mode. What positions and orders then need beyond what they needed before must
 * fit into the margin, and an isolated position must not be liquidated by it. The mode of an open position stays as it is.
 */
export function setLeverage(
  engine: EngineState,
  account: Account,
  symbol: string,
  request: LeverageRequest,
): void {
  checkRequest(engine, account, symbol, request);
  const before = usedMargin(engine, account);
  const undo = applyLeverage(engine, account, symbol, request.leverage);
  const position = account.positions.get(symbol);
  const surplus = position === undefined ? Infinity : surplusOf(engine, account, position);
  const unsafe = surplus > 0 ? null : { required: -surplus, available: 0 };
  const details = lackingMargin(engine, account, before) ?? unsafe;
  if (details !== null) {
    undo();
    throw new ServiceError('insufficient_margin', { details });
  }
  if (request.mode === 'isolated') account.isolated.add(symbol);
  if (request.mode === 'cross') account.isolated.delete(symbol);
  watchMargin(engine, account);
  if (position !== undefined) publishPosition(engine, account, symbol);
  // The margin of orders that rest changes, too (STR-2).
  const rests = [...account.openOrders.values()].some(({ record }) => record.symbol === symbol);
  if (position !== undefined || rests) publishBalance(engine, account);
}

function checkRequest(
  engine: EngineState,
  account: Account,
  symbol: string,
  { leverage, mode }: LeverageRequest,
): void {
  const { instrument } = engine.market.at(symbol);
  const isSpot = instrument.kind === 'spot';
  const most = isSpot ? UNLEVERAGED : instrument.max_leverage;
  if (leverage < 1 || leverage > most || isSpot) {
    const details = { leverage, max_leverage: most };
    const message = isSpot
      ? `${symbol} is spot and has no leverage.`
      : `Leverage ${leverage} is out of range: ${symbol} takes 1 to ${most}.`;
    throw new ServiceError('leverage_out_of_range', { message, details });
  }
  const changes = mode !== undefined && (mode === 'isolated') !== account.isolated.has(symbol);
  if (changes && account.positions.has(symbol)) {
    throw fieldFault('mode', 'position_open', 'Close the position to change its margin mode.');
  }
}

/** Adjusts the margin of an isolated position to its new leverage. Returns a function that undoes it. */
function applyLeverage(
  engine: EngineState,
  account: Account,
  symbol: string,
  leverage: number,
): () => void {
  const setting = account.leverage.get(symbol);
  const position = account.positions.get(symbol);
  const margin = position?.margin ?? null;
  if (position !== undefined && margin !== null) {
    const notional = Math.abs(position.size) * position.entryPrice;
    const before = leverageOf(engine, account, symbol);
    position.margin = margin + notional * (1 / leverage - 1 / before);
  }
  account.leverage.set(symbol, leverage);
  return () => {
    if (setting === undefined) account.leverage.delete(symbol);
    else account.leverage.set(symbol, setting);
    if (position !== undefined) position.margin = margin;
  };
}

export function leverageRecord(engine: EngineState, account: Account, symbol: string) {
  const { instrument } = engine.market.at(symbol);
  const isSpot = instrument.kind === 'spot';
  return {
    symbol,
    leverage: isSpot ? UNLEVERAGED : leverageOf(engine, account, symbol),
    mode: account.isolated.has(symbol) ? 'isolated' : 'cross',
    max_leverage: isSpot ? UNLEVERAGED : instrument.max_leverage,
  };
}
