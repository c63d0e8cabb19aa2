import type { World } from '../engine/World.ts';
import type { Account } from '../venue/Account.ts';
import { reducible } from '../venue/fillable.ts';
import { algoOf } from './algorithms.ts';
import { Desk } from './Desk.ts';
import type { Execution } from './Execution.ts';
import { watchStaleData } from './staleData.ts';

/** Connects an execution to the market and lets its algorithm begin, or go on after a pause. */
export function setGoing(
  world: World,
  account: Account,
  execution: Execution,
  pausedMs: number,
): void {
  const { symbol, side, reduce_only: reduceOnly, execution_id: id } = execution.record;
  const desk = new Desk(world, account, execution);
  if (reduceOnly && reducible(account, { symbol, side }) <= 0) {
    desk.stop('nothing_to_reduce');
    return;
  }
  const interval = world.market.feedInterval(symbol);
  execution.barHook = { symbol, interval, topic: 'execution', wallet: account.wallet, id };
  world.barHooks.add(execution.barHook);
  watchStaleData(world, execution);
  algoOf(execution).resume(desk, pausedMs);
}
