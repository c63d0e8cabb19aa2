import type { ExecutionReason } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { armLeg, endLeg, resolveAgain } from '../legs/lifecycle.ts';
import { retireWatch } from '../tracking/retireWatch.ts';
import type { Account } from '../venue/Account.ts';
import { closeOrder } from '../venue/closeOrder.ts';
import { reducible } from '../venue/fillable.ts';
import { exitSide, type Leg } from '../legs/Leg.ts';
import type { Execution } from './Execution.ts';
import { publishExecution } from './publishExecution.ts';

/** Removes everything that an execution has in the market: children, timers, watches. */
export function standDown(engine: EngineState, account: Account, execution: Execution): void {
  execution.timer?.();
  execution.timer = null;
  execution.staleTimer?.();
  execution.staleTimer = null;
  if (execution.barHook !== null) engine.barHooks.remove(execution.barHook);
  execution.barHook = null;
  for (const watch of execution.watches.splice(0)) engine.market.unwatch(watch);
  for (const id of execution.children.splice(0)) {
    const order = account.openOrders.get(id);
    if (order !== undefined) closeOrder(engine, account, order, { reason: null });
  }
}

/**
 * A terminal state (EXE-6). With fills, its legs are resolved now, anchored to the average fill and
 * sized to what was filled (EXE-3); without, they retire.
 */
export function endExecution(
  engine: EngineState,
  account: Account,
  execution: Execution,
  end: { status: 'completed' | 'stopped'; reason: ExecutionReason },
): void {
  const { record } = execution;
  if (record.ended_time !== null) return;
  record.status = end.status;
  record.reason = end.reason;
  record.phase = 'done';
  record.ended_time = engine.market.now;
  record.updated_time = engine.market.now;
  standDown(engine, account, execution);
  account.liveExecutions.delete(record.execution_id);
  retireWatch(engine, account, execution.entryTrack?.watch_id ?? null);
  for (const id of execution.legIds) {
    const leg = account.liveLegs.get(id);
    if (leg !== undefined) settleLeg(engine, account, execution, leg);
  }
  engine.reactions.onExecutionEnded(account, execution);
  publishExecution(engine, account, execution, { event: 'ended', reason: end.reason });
}

function settleLeg(engine: EngineState, account: Account, execution: Execution, leg: Leg): void {
  const { filled_size: filled, average_price: price, symbol } = execution.record;
  const side = exitSide(leg.positionSide);
  if (price === null || reducible(account, { symbol, side }) <= 0) {
    endLeg(engine, account, leg, 'retired');
    return;
  }
  leg.record.size = filled;
  if (resolveAgain(engine, account, leg, price)) armLeg(engine, leg);
}
