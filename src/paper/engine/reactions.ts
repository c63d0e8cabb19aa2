import { stopLiquidated } from '../algos/controls.ts';
import {
  executionBar,
  executionFill,
  executionPrice,
  executionTarget,
  executionTimer,
} from '../algos/drive.ts';
import { checkStaleData } from '../algos/staleData.ts';
import { fillQueuedLegs, releaseQueuedLegs, retireWithPosition } from '../legs/lifecycle.ts';
import { trailLeg } from '../legs/trailLeg.ts';
import { triggerLeg } from '../legs/triggerLeg.ts';
import { watchLevel } from '../monitors/armMonitor.ts';
import { stopWithLeg } from '../monitors/endMonitor.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';
import { moveEntry, orderTarget } from '../tracking/moveEntry.ts';
import { retireOrderWatch } from '../tracking/retireWatch.ts';
import { checkMargin } from '../venue/liquidation.ts';
import { resumeExit } from '../venue/placeOrder.ts';
import { fillResting } from '../venue/restOrder.ts';
import type { BarHook } from './BarHook.ts';
import { settleFunding } from './funding.ts';
import type { Reactions, World } from './World.ts';
import type { TimerTopic } from './TimerTopic.ts';

/** What follows from what, in one place: each event's way from the venue to the parts above it. */
export function createReactions(world: () => World): Reactions {
  return {
    onFill(account, order, fill) {
      fillQueuedLegs(world(), account, order);
      executionFill(world(), account, order, fill);
    },
    onOrderClosed(account, order) {
      retireOrderWatch(world(), account, order);
      releaseQueuedLegs(world(), account, order);
    },
    onPositionChanged(account, symbol) {
      retireWithPosition(world(), account, symbol);
    },
    onLegEnded(account, leg) {
      stopWithLeg(world(), account, leg);
    },
    onLiquidated(account, symbols) {
      stopLiquidated(world(), account, symbols);
    },
  };
}

/** A watched price was reached. */
export function dispatchWatch(world: World, watch: PriceWatch): void {
  const account = world.accounts.get(watch.wallet);
  if (account === undefined) return;
  const { id } = watch;
  const order = account.openOrders.get(id);
  const leg = account.liveLegs.get(id);
  const execution = account.liveExecutions.get(id);
  const monitor = account.monitors.get(id);
  if (watch.topic === 'margin') checkMargin(world, account);
  else if (watch.topic === 'order' && order) fillResting(world, account, order);
  else if (watch.topic === 'leg' && leg) triggerLeg(world, account, leg);
  else if (watch.topic === 'execution' && execution) {
    executionPrice(world, account, execution, watch);
  } else if (watch.topic === 'monitor' && monitor) watchLevel(world, account, monitor);
}

/** A bar closed for somebody who waits for it. */
export function dispatchBar(world: World, hook: BarHook): void {
  const account = world.accounts.get(hook.wallet);
  if (account === undefined) return;
  const leg = account.liveLegs.get(hook.id);
  const watch = account.entryWatches.get(hook.id);
  const monitor = account.monitors.get(hook.id);
  const execution = account.liveExecutions.get(hook.id);
  if (hook.topic === 'leg' && leg) trailLeg(world, account, leg);
  else if (hook.topic === 'track' && watch) {
    const target = watch.orderId === null ? executionTarget(world) : orderTarget(world);
    moveEntry(world, account, watch, target);
  } else if (hook.topic === 'execution' && execution) executionBar(world, account, execution);
  else if (hook.topic === 'monitor' && monitor) watchLevel(world, account, monitor);
}

/** A timer is due. */
export function dispatchTimer(world: World, topic: TimerTopic, wallet: string, id: string): void {
  if (topic === 'funding') return settleFunding(world);
  const account = world.accounts.get(wallet);
  if (account === undefined) return;
  const order = account.openOrders.get(id);
  const execution = account.liveExecutions.get(id);
  if (topic === 'exit' && order) resumeExit(world, account, order);
  else if (topic === 'execution' && execution) executionTimer(world, account, execution);
  else if (topic === 'stale' && execution) checkStaleData(world, account, execution);
}
