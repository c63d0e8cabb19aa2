import type { EngineState } from '../engine/EngineState.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';
import type { EntryTarget } from '../tracking/moveEntry.ts';
import type { Account } from '../venue/Account.ts';
import { averageAfter } from '../../contract/averageAfter.ts';
import { shareOf, snapSize } from '../../contract/sizes.ts';
import type { Fill } from '../venue/Fill.ts';
import type { Order } from '../venue/Order.ts';
import { isOpen } from '../venue/Order.ts';
import { algoOf } from './algorithms.ts';
import { AlgoContext } from './AlgoContext.ts';
import { endExecution } from './endExecution.ts';
import type { Execution } from './Execution.ts';
import { publishExecution } from './publishExecution.ts';
import { watchStaleData } from './staleData.ts';

/** Forwards the engine's events to the algorithm of a running execution. */

export function executionTimer(engine: EngineState, account: Account, execution: Execution): void {
  execution.timer = null;
  if (execution.record.status !== 'running') return;
  algoOf(execution).onTimer?.(new AlgoContext(engine, account, execution));
}

export function executionBar(engine: EngineState, account: Account, execution: Execution): void {
  if (execution.record.status !== 'running') return;
  watchStaleData(engine, account, execution);
  algoOf(execution).onBar?.(new AlgoContext(engine, account, execution));
}

export function executionPrice(
  engine: EngineState,
  account: Account,
  execution: Execution,
  watch: PriceWatch,
): void {
  const index = execution.watches.indexOf(watch);
  if (index >= 0) execution.watches.splice(index, 1);
  if (execution.record.status !== 'running') return;
  algoOf(execution).onPrice?.(new AlgoContext(engine, account, execution));
}

/** A child order filled: reports progress, and ends the execution if nothing remains. */
export function executionFill(
  engine: EngineState,
  account: Account,
  order: Order,
  fill: Fill,
): void {
  const id = fill.execution_id;
  const execution = id === null ? undefined : account.liveExecutions.get(id);
  if (execution === undefined) return;
  const { record } = execution;
  const { size_decimals: decimals } = engine.market.instrument(record.symbol)!;
  record.filled_size = snapSize(record.filled_size + fill.size, decimals);
  record.remaining_size = snapSize(record.total_size - record.filled_size, decimals);
  execution.filledNotional += fill.notional;
  execution.fillIds.push(fill.fill_id);
  const { average_price: before, filled_size: filled } = record;
  record.average_price = averageAfter(before, fill.price, execution.filledNotional, filled);
  record.fees += fill.fee;
  record.progress = shareOf(record.filled_size, record.total_size, decimals);
  record.updated_time = fill.time;
  // A child that fills while it is placed is none yet.
  if (!isOpen(order) && execution.children.includes(order.record.order_id)) {
    execution.children = execution.children.filter((child) => child !== order.record.order_id);
  }
  publishExecution(engine, account, execution, {
    event: 'progress',
    detail: { fill_id: fill.fill_id, progress: record.progress },
  });
  if (record.remaining_size > 0) return;
  const reason = execution.completing ? 'complete_at_market' : 'filled';
  endExecution(engine, account, execution, { status: 'completed', reason });
}

/** A tracked limit or trigger moves what the algorithm reads (EXE-5). */
export function executionTarget(engine: EngineState): EntryTarget {
  const contextOf = (account: Account, id: string | null): AlgoContext | undefined => {
    const execution = id === null ? undefined : account.liveExecutions.get(id);
    return execution && new AlgoContext(engine, account, execution);
  };
  return {
    holds(account, watch, level) {
      const context = contextOf(account, watch.executionId);
      return context !== undefined && algoOf(context.execution).holds?.(context, level) === true;
    },
    move(account, watch, level) {
      const context = contextOf(account, watch.executionId);
      if (context !== undefined) algoOf(context.execution).onTracked?.(context, level);
    },
  };
}
