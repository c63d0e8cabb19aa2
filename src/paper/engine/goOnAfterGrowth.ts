import { algoOf } from '../algos/algorithms.ts';
import { AlgoContext } from '../algos/AlgoContext.ts';
import { nextLiquidityTime } from '../venue/placeOrder.ts';
import type { EngineState } from './EngineState.ts';
import type { EngineTimers, PlannedTimer } from './EngineTimers.ts';

/**
 * The feeds grew: what waited for the first trade or the next close after their former end learns its time. Without it
 * an order that is placed as a bar closes, an exit that is larger than a bar's share, and an algorithm that follows the
 * path would wait forever.
 */
export function goOnAfterGrowth(engine: EngineState, timers: EngineTimers): void {
  timers.feedsGrew((timer) => timeAfterGrowth(engine, timer));
  for (const account of engine.accounts.values()) {
    for (const order of account.openOrders.values()) {
      if (order.takesAt !== Infinity) continue;
      order.takesAt = engine.market.at(order.record.symbol).path.nextOpenTime + 1;
    }
  }
}

function timeAfterGrowth(engine: EngineState, { time, topic, wallet, id }: PlannedTimer): number {
  const account = engine.accounts.get(wallet);
  const order = topic === 'exit' ? account?.openOrders.get(id) : undefined;
  if (order !== undefined) return nextLiquidityTime(engine, order.record.symbol);
  const execution = topic === 'execution' ? account?.liveExecutions.get(id) : undefined;
  if (account === undefined || execution === undefined) return time;
  return algoOf(execution).wakeTime?.(new AlgoContext(engine, account, execution)) ?? time;
}
