import { endUnwinds, stopLiquidated } from '../algos/controls.ts';
import {
  executionBar,
  executionFill,
  executionPrice,
  executionTarget,
  executionTimer,
} from '../algos/drive.ts';
import { checkStaleData } from '../algos/staleData.ts';
import { noteLegEnd } from '../baskets/noteLegEnd.ts';
import { fillQueuedLegs, releaseQueuedLegs, retireWithPosition } from '../legs/lifecycle.ts';
import { trailLeg } from '../legs/trailLeg.ts';
import { triggerLeg } from '../legs/triggerLeg.ts';
import { watchLevel } from '../monitors/armMonitor.ts';
import { stopWithLeg } from '../monitors/endMonitor.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';
import { moveEntry, orderTarget } from '../tracking/moveEntry.ts';
import { retireOrderWatch } from '../tracking/retireWatch.ts';
import { endExits } from '../venue/endExits.ts';
import { checkMargin } from '../venue/liquidation.ts';
import { resumeExit } from '../venue/placeOrder.ts';
import { fillResting } from '../venue/restOrder.ts';
import type { BarHook } from './BarHook.ts';
import { settleFunding } from './funding.ts';
import type { Reactions, EngineState } from './EngineState.ts';
import type { TimerTopic } from './TimerTopic.ts';

/** The path of each event from the venue to the parts above it, in one place. */
export function createReactions(engine: () => EngineState): Reactions {
  return {
    onFill(account, order, fill) {
      fillQueuedLegs(engine(), account, order, fill);
      executionFill(engine(), account, order, fill);
    },
    onOrderClosed(account, order) {
      retireOrderWatch(engine(), account, order);
      releaseQueuedLegs(engine(), account, order);
    },
    onPositionChanged(account, symbol) {
      retireWithPosition(engine(), account, symbol);
    },
    onPositionEnded(account, symbol, closing) {
      endExits(engine(), account, symbol, closing);
      endUnwinds(engine(), account, symbol);
    },
    onLegEnded(account, leg) {
      stopWithLeg(engine(), account, leg);
    },
    onExecutionEnded(account, execution) {
      noteLegEnd(account, execution);
    },
    onLiquidated(account, ends) {
      stopLiquidated(engine(), account, ends);
    },
  };
}

/** A watched price was reached. */
export function dispatchWatch(engine: EngineState, watch: PriceWatch): void {
  const account = engine.accounts.get(watch.wallet);
  if (account === undefined) return;
  const { id } = watch;
  switch (watch.topic) {
    case 'margin':
      return checkMargin(engine, account, watch);
    case 'order': {
      const order = account.openOrders.get(id);
      return order && fillResting(engine, account, order);
    }
    case 'leg': {
      const leg = account.liveLegs.get(id);
      return leg && triggerLeg(engine, account, leg);
    }
    case 'execution': {
      const execution = account.liveExecutions.get(id);
      return execution && executionPrice(engine, account, execution, watch);
    }
    case 'monitor': {
      const monitor = account.monitors.get(id);
      return monitor && watchLevel(engine, account, monitor, watch);
    }
  }
}

/** A bar with a hook closed. */
export function dispatchBar(engine: EngineState, hook: BarHook): void {
  const account = engine.accounts.get(hook.wallet);
  if (account === undefined) return;
  const { id } = hook;
  switch (hook.topic) {
    case 'leg': {
      const leg = account.liveLegs.get(id);
      return leg && trailLeg(engine, account, leg);
    }
    case 'track': {
      const watch = account.entryWatches.get(id);
      if (watch === undefined) return;
      const target = watch.orderId === null ? executionTarget(engine) : orderTarget(engine);
      return moveEntry(engine, account, watch, target);
    }
    case 'execution': {
      const execution = account.liveExecutions.get(id);
      return execution && executionBar(engine, account, execution);
    }
    case 'monitor': {
      const monitor = account.monitors.get(id);
      return monitor && watchLevel(engine, account, monitor);
    }
  }
}

/** A timer is due. */
export function dispatchTimer(
  engine: EngineState,
  topic: TimerTopic,
  wallet: string,
  id: string,
): void {
  if (topic === 'funding') return settleFunding(engine);
  const account = engine.accounts.get(wallet);
  if (account === undefined) return;
  const order = account.openOrders.get(id);
  const execution = account.liveExecutions.get(id);
  if (topic === 'exit' && order) resumeExit(engine, account, order);
  else if (topic === 'execution' && execution) executionTimer(engine, account, execution);
  else if (topic === 'stale' && execution) checkStaleData(engine, account, execution);
}
