import type { World } from '../engine/World.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';
import type { EntryTarget } from '../tracking/moveEntry.ts';
import type { Account } from '../venue/Account.ts';
import { snapSize } from '../venue/amounts.ts';
import type { Fill } from '../venue/Fill.ts';
import type { Order } from '../venue/Order.ts';
import { isOpen } from '../venue/Order.ts';
import { algoOf } from './algorithms.ts';
import { Desk } from './Desk.ts';
import { endExecution } from './endExecution.ts';
import type { Execution } from './Execution.ts';
import { publishExecution } from './publishExecution.ts';
import { watchStaleData } from './staleData.ts';

/** What the engine tells a running execution, passed on to its algorithm. */

export function executionTimer(world: World, account: Account, execution: Execution): void {
  execution.timer = null;
  if (execution.record.status !== 'running') return;
  algoOf(execution).onTimer?.(new Desk(world, account, execution));
}

export function executionBar(world: World, account: Account, execution: Execution): void {
  if (execution.record.status !== 'running') return;
  watchStaleData(world, execution);
  algoOf(execution).onBar?.(new Desk(world, account, execution));
}

export function executionPrice(
  world: World,
  account: Account,
  execution: Execution,
  watch: PriceWatch,
): void {
  const index = execution.watches.indexOf(watch);
  if (index >= 0) execution.watches.splice(index, 1);
  if (execution.record.status !== 'running') return;
  algoOf(execution).onPrice?.(new Desk(world, account, execution));
}

/** A child order filled: progress, and the end where nothing remains. */
export function executionFill(world: World, account: Account, order: Order, fill: Fill): void {
  const id = fill.execution_id;
  const execution = id === null ? undefined : account.liveExecutions.get(id);
  if (execution === undefined) return;
  const { record } = execution;
  const { size_decimals: decimals } = world.market.instrument(record.symbol)!;
  record.filled_size = snapSize(record.filled_size + fill.size, decimals);
  record.remaining_size = snapSize(record.total_size - record.filled_size, decimals);
  execution.filledNotional += fill.notional;
  execution.fillIds.push(fill.fill_id);
  record.average_price = execution.filledNotional / record.filled_size;
  record.fees += fill.fee;
  record.progress = record.filled_size / record.total_size;
  record.updated_time = fill.time;
  if (!isOpen(order)) {
    execution.children = execution.children.filter((child) => child !== order.record.order_id);
  }
  publishExecution(world, account, execution, {
    event: 'progress',
    detail: { fill_id: fill.fill_id, progress: record.progress },
  });
  if (record.remaining_size > 0) return;
  const reason = execution.completing ? 'complete_at_market' : 'filled';
  endExecution(world, account, execution, { status: 'completed', reason });
}

/** A tracked limit or trigger moves what the algorithm reads (EXE-5). */
export function executionTarget(world: World): EntryTarget {
  const deskOf = (account: Account, id: string | null): Desk | undefined => {
    const execution = id === null ? undefined : account.liveExecutions.get(id);
    return execution && new Desk(world, account, execution);
  };
  return {
    holds(account, watch, level) {
      const desk = deskOf(account, watch.executionId);
      return desk !== undefined && algoOf(desk.execution).holds?.(desk, level) === true;
    },
    move(account, watch, level) {
      const desk = deskOf(account, watch.executionId);
      if (desk !== undefined) algoOf(desk.execution).onTracked?.(desk, level);
    },
  };
}
