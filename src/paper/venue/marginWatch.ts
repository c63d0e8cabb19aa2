import type { EngineState } from '../engine/EngineState.ts';
import type { Account, Position } from './Account.ts';
import { maintenanceRate, surplusOf } from './margin.ts';

/**
 * Sets a watch on each position at the price at which its share of the possible loss would be used up: an
 * isolated position's own margin, or an equal part of the collateral of the cross ones. While every mark
 * is inside its watch the account is safe, so nothing is computed along the path. A watch that is reached
 * redistributes the remainder, or liquidates.
 */
export function watchMargin(engine: EngineState, account: Account): void {
  const { positions } = account;
  let cross = 0;
  for (const { margin } of positions.values()) if (margin === null) cross++;
  for (const position of positions.values()) {
    const surplus = Math.max(0, surplusOf(engine, account, position));
    const share = position.margin === null ? surplus / cross : surplus;
    setMarginWatch(engine, account, position, share);
  }
}

function setMarginWatch(
  engine: EngineState,
  account: Account,
  position: Position,
  share: number,
): void {
  const { symbol, size } = position;
  const direction = Math.sign(size);
  const lossPerPoint = Math.abs(size) * (1 - direction * maintenanceRate(engine, symbol));
  dropMarginWatch(engine, position);
  position.marginWatch = engine.market.watch({
    symbol,
    price: engine.market.mark(symbol) - (direction * share) / lossPerPoint,
    side: direction > 0 ? 'below' : 'above',
    topic: 'margin',
    wallet: account.wallet,
    id: symbol,
  });
}

export function dropMarginWatch(engine: EngineState, position: Position): void {
  if (position.marginWatch !== null) engine.market.unwatch(position.marginWatch);
  position.marginWatch = null;
}
