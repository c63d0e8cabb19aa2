import type { PriceWatch } from '../market/PriceWatches.ts';
import { checkMargin } from '../venue/liquidation.ts';
import { resumeExit } from '../venue/placeOrder.ts';
import { fillResting, resumeResting } from '../venue/restOrder.ts';
import type { BarHook } from './BarHooks.ts';
import { settleFunding } from './funding.ts';
import type { Reactions, TimerTopic, World } from './World.ts';

/** What follows from what, in one place: each event's way from the venue to the parts above it. */
export function createReactions(_world: () => World): Reactions {
  return {
    onFill() {},
    onOrderClosed() {},
    onPositionChanged() {},
    onLiquidated() {},
  };
}

/** A watched price was reached. */
export function dispatchWatch(world: World, watch: PriceWatch): void {
  const account = world.accounts.get(watch.wallet);
  if (account === undefined) return;
  const { id } = watch;
  const order = account.openOrders.get(id);
  if (watch.topic === 'margin') checkMargin(world, account);
  else if (watch.topic === 'order' && order) fillResting(world, account, order);
}

/** A bar closed for somebody who waits for it. */
export function dispatchBar(_world: World, _hook: BarHook): void {}

/** A timer is due. */
export function dispatchTimer(world: World, topic: TimerTopic, wallet: string, id: string): void {
  if (topic === 'funding') return settleFunding(world);
  const account = world.accounts.get(wallet);
  if (account === undefined) return;
  const order = account.openOrders.get(id);
  if (topic === 'order' && order) resumeResting(world, order);
  else if (topic === 'exit' && order) resumeExit(world, account, order);
}
