import type { World } from '../engine/World.ts';
import type { Account } from './Account.ts';
import { closeOrder } from './closeOrder.ts';
import { marginSurplus, watchMargin } from './marginWatch.ts';
import { placeExit } from './placeExit.ts';
import { publishAccount } from './publish.ts';

/** A surplus below this (quote units) is none: marks at whole milliseconds can't hit zero exactly. */
const NOTHING = 1e-7;

/** A margin watch was reached, or money left the account: go on with a smaller surplus, or liquidate. */
export function checkMargin(world: World, account: Account): void {
  if (account.positions.size === 0) return;
  if (marginSurplus(world, account) > NOTHING) watchMargin(world, account);
  else liquidate(world, account);
}

/** The venue takes all positions over at the market, whatever the volume (cross margin). */
function liquidate(world: World, account: Account): void {
  const reason = 'liquidated';
  for (const order of account.openOrders.values()) closeOrder(world, account, order, { reason });
  world.reactions.onLiquidated(account);
  for (const { symbol, size } of account.positions.values()) {
    const time = world.market.now;
    publishAccount(world, account, 'liquidation', () => ({ symbol, size: Math.abs(size), time }));
    placeExit(world, account, {
      symbol,
      side: size > 0 ? 'sell' : 'buy',
      size: Math.abs(size),
      request: null,
      volumeShare: null,
    });
  }
}
