import type { ExecutionAction, ExecutionReason, ExecutionStatus } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState, Trade } from '../engine/EngineState.ts';
import type { Account } from '../venue/Account.ts';
import { reducible } from '../venue/fillable.ts';
import { algoOf } from './algorithms.ts';
import { AlgoContext } from './AlgoContext.ts';
import { endExecution } from './endExecution.ts';
import type { Execution } from './Execution.ts';
import { suspendExecution } from './suspendExecution.ts';
import { publishExecution } from './publishExecution.ts';
import { startExecution } from './startExecution.ts';

/** The actions that a status allows, by dialect; all others return 409 (EXE-7). */
function allowedIn(engine: EngineState, status: ExecutionStatus): readonly ExecutionAction[] {
  if (status === 'completed' || status === 'stopped') return [];
  return engine.dialect.executions.transitions[status];
}

export function isAllowed(
  engine: EngineState,
  { record }: Execution,
  action: ExecutionAction,
): boolean {
  return allowedIn(engine, record.status).includes(action);
}

/** Throws `invalid_transition` with `from`, `action` and what is `allowed`. */
export function controlExecution(
  engine: EngineState,
  account: Account,
  execution: Execution,
  action: ExecutionAction,
): void {
  const from = execution.record.status;
  if (!isAllowed(engine, execution, action)) {
    const details = { from, action, allowed: allowedIn(engine, from) };
    throw new ServiceError('invalid_transition', { details });
  }
  const end = (status: 'completed' | 'stopped', reason: ExecutionReason): void =>
    endExecution(engine, account, execution, { status, reason });
  if (action === 'pause') {
    suspendExecution(engine, account, execution, { status: 'paused', reason: null });
  } else if (action === 'resume') resumeExecution(engine, account, execution);
  else if (action === 'stop') end('stopped', 'user_stop');
  else if (action === 'mark-complete') end('completed', 'mark_complete');
  else completeAtMarket(engine, account, execution);
}

function resumeExecution(engine: EngineState, account: Account, execution: Execution): void {
  const { record } = execution;
  const pausedMs = engine.market.now - (execution.pausedSince ?? engine.market.now);
  execution.pausedSince = null;
  execution.resumedTime = engine.market.now;
  record.status = 'running';
  record.reason = null;
  record.updated_time = engine.market.now;
  const context = new AlgoContext(engine, account, execution);
  context.enter(algoOf(execution).phase(context));
  publishExecution(engine, account, execution, { event: 'status' });
  startExecution(engine, account, execution, pausedMs);
}

/** Sweeps the remainder at the market; the volume cap does not apply (EXE-7). */
function completeAtMarket(engine: EngineState, account: Account, execution: Execution): void {
  execution.completing = true;
  execution.record.phase = 'sweeping';
  new AlgoContext(engine, account, execution).sweepAll();
  // A position smaller than the size, or too little spot to pay or deliver, leaves a remainder.
  const reason = execution.record.reduce_only ? 'nothing_to_reduce' : 'insufficient_margin';
  endExecution(engine, account, execution, { status: 'stopped', reason });
}

/** The service lost its venue: running executions are interrupted, paused ones stay paused. */
export function interruptExecutions(engine: EngineState): void {
  for (const account of engine.accounts.values()) {
    for (const execution of account.liveExecutions.values()) {
      if (execution.record.status !== 'running') continue;
      suspendExecution(engine, account, execution, { status: 'interrupted', reason: 'venue_lost' });
    }
  }
}

/**
 * A position was closed or reversed: what a triggered leg or a close launched to unwind it ends with it, as an exit that waits does
 * (POS-2). It would close a position that is opened later, for which it was never meant.
 */
export function endUnwinds(engine: EngineState, account: Account, symbol: string): void {
  for (const execution of account.liveExecutions.values()) {
    const { record, unwinds } = execution;
    if (!unwinds || record.symbol !== symbol || reducible(account, record) > 0) continue;
    const end = { status: 'stopped', reason: 'nothing_to_reduce' } as const;
    endExecution(engine, account, execution, end);
  }
}

/** Positions of the account were liquidated: every execution that ends with them is stopped. */
export function stopLiquidated(
  engine: EngineState,
  account: Account,
  ends: (trade: Trade) => boolean,
): void {
  for (const execution of account.liveExecutions.values()) {
    if (!ends(execution.record)) continue;
    endExecution(engine, account, execution, { status: 'stopped', reason: 'liquidated' });
  }
}
