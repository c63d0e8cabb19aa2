import type { World } from '../engine/World.ts';
import type { Account, Position } from './Account.ts';
import { maintenanceMargin, maintenanceRate, marginEquity } from './margin.ts';

/** What the account may lose before its equity is its maintenance margin, quote units. */
export function marginSurplus(world: World, account: Account): number {
  return marginEquity(world, account) - maintenanceMargin(world, account);
}

/**
 * Sets a watch on each position at the price where its share of the account's surplus would be
 * gone. While every mark is inside its watch the account is safe, so nothing is computed along the
 * path; a watch that is reached shares the rest out anew, or liquidates.
 */
export function watchMargin(world: World, account: Account): void {
  const { positions } = account;
  if (positions.size === 0) return;
  const share = Math.max(0, marginSurplus(world, account)) / positions.size;
  for (const position of positions.values()) setMarginWatch(world, account, position, share);
}

function setMarginWatch(world: World, account: Account, position: Position, share: number): void {
  const { symbol, size } = position;
  const direction = Math.sign(size);
  const lossPerPoint = Math.abs(size) * (1 - direction * maintenanceRate(world, symbol));
  dropMarginWatch(world, position);
  position.marginWatch = world.market.watch({
    symbol,
    price: world.market.mark(symbol) - (direction * share) / lossPerPoint,
    side: direction > 0 ? 'below' : 'above',
    topic: 'margin',
    wallet: account.wallet,
    id: symbol,
  });
}

export function dropMarginWatch(world: World, position: Position): void {
  if (position.marginWatch !== null) world.market.unwatch(position.marginWatch);
  position.marginWatch = null;
}
