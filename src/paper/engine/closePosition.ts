import type { ClosePositionRequest, ExecuteRequest } from '../../contract/index.ts';
import { checkAlgoPrices, launchExecution } from '../algos/launch.ts';
import { executionRecord } from '../algos/publishExecution.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { Account, Position } from '../venue/Account.ts';
import { placeOrder } from '../venue/placeOrder.ts';
import { orderRecord } from '../venue/publish.ts';
import type { EngineState } from './EngineState.ts';

/** `no_position` is 404 if the position itself is requested, 422 if it is a precondition. */
export function positionOf(
  engine: EngineState,
  account: Account,
  symbol: string,
  asPrecondition = false,
): Position {
  engine.market.at(symbol);
  const position = account.positions.get(symbol);
  if (position !== undefined) return position;
  throw new ServiceError('no_position', { asPrecondition, details: { symbol } });
}

/**
 * Closes a whole position, or sells a whole spot holding: by a reduce-only market order, or by an
 * algorithm (POS-1). Returns the order or the execution that it started.
 */
export function closePosition(
  engine: EngineState,
  account: Account,
  close: { symbol: string; body: ClosePositionRequest; idempotencyKey: string | null },
) {
  const { symbol, body, idempotencyKey } = close;
  if (body.algo !== undefined) checkAlgoPrices(body, engine.market.at(symbol).instrument);
  // Spot has no position: the holding is what there is to close, and it is sold.
  const { size } = account.holdings.get(symbol) ?? positionOf(engine, account, symbol, true);
  const side = size > 0 ? 'sell' : 'buy';
  if (body.algo !== undefined) {
    const { algo, params } = body;
    const launch = { algo, symbol, side, total_size: Math.abs(size), params, reduce_only: true };
    const request = launch as ExecuteRequest;
    const options = { request, idempotencyKey, sent: body, unwinds: true };
    const made = launchExecution(engine, account, options);
    return executionRecord(account, made);
  }
  const order = placeOrder(engine, account, {
    symbol,
    side,
    size: Math.abs(size),
    price: null,
    timeInForce: null,
    slippageBps: body.slippage_bps ?? account.settings.default_slippage_bps,
    reduceOnly: true,
    idempotencyKey,
    request: body,
  });
  return orderRecord(account, order);
}
