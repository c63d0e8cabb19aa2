import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from '../venue/Account.ts';
import { reducible } from '../venue/fillable.ts';
import { algoOf } from './algorithms.ts';
import { AlgoContext } from './AlgoContext.ts';
import type { Execution } from './Execution.ts';
import { watchStaleData } from './staleData.ts';

/** Connects an execution to the market and starts its algorithm, or resumes it after a pause. */
export function startExecution(
  engine: EngineState,
  account: Account,
  execution: Execution,
  pausedMs: number,
): void {
  const { symbol, side, reduce_only: reduceOnly, execution_id: id } = execution.record;
  const context = new AlgoContext(engine, account, execution);
  if (reduceOnly && reducible(account, { symbol, side }) <= 0) {
    context.stop('nothing_to_reduce');
    return;
  }
  const interval = engine.market.feedInterval(symbol);
  execution.barHook = { symbol, interval, topic: 'execution', wallet: account.wallet, id };
  engine.barHooks.add(execution.barHook);
  watchStaleData(engine, account, execution);
  if (execution.record.status !== 'running') return;
  algoOf(execution).resume(context, pausedMs);
}
