import { algoOf } from '../algos/algorithms.ts';
import { AlgoContext } from '../algos/AlgoContext.ts';
import type { EngineState } from './EngineState.ts';

/**
 * The feeds grew: what waited for the first trade after their former end learns its time. Without it an order that
 * is placed as a bar closes, and an algorithm that follows the path, would wait forever.
 */
export function goOnAfterGrowth(engine: EngineState): void {
  for (const account of engine.accounts.values()) {
    for (const order of account.openOrders.values()) {
      if (order.takesAt !== Infinity) continue;
      order.takesAt = engine.market.at(order.record.symbol).path.nextOpenTime + 1;
    }
    for (const execution of account.liveExecutions.values()) {
      if (execution.record.status !== 'running') continue;
      algoOf(execution).onFeedGrew?.(new AlgoContext(engine, account, execution));
    }
  }
}
