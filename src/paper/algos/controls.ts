import type { ExecutionAction, ExecutionReason, ExecutionStatus } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { World } from '../engine/World.ts';
import type { Account } from '../venue/Account.ts';
import { Desk } from './Desk.ts';
import { endExecution } from './endExecution.ts';
import type { Execution } from './Execution.ts';
import { haltExecution } from './haltExecution.ts';
import { publishExecution } from './publishExecution.ts';
import { setGoing } from './setGoing.ts';

/** What a status allows by the dialect; everything else is 409 (EXE-7). */
function allowedIn(world: World, status: ExecutionStatus): readonly ExecutionAction[] {
  if (status === 'completed' || status === 'stopped') return [];
  return world.dialect.executions.transitions[status];
}

export function isAllowed(world: World, { record }: Execution, action: ExecutionAction): boolean {
  return allowedIn(world, record.status).includes(action);
}

/** Throws `invalid_transition` with `from`, `action` and what is `allowed`. */
export function controlExecution(
  world: World,
  account: Account,
  execution: Execution,
  action: ExecutionAction,
): void {
  const from = execution.record.status;
  if (!isAllowed(world, execution, action)) {
    const details = { from, action, allowed: allowedIn(world, from) };
    throw new ServiceError('invalid_transition', { details });
  }
  const end = (status: 'completed' | 'stopped', reason: ExecutionReason): void =>
    endExecution(world, account, execution, { status, reason });
  if (action === 'pause') {
    haltExecution(world, account, execution, { status: 'paused', reason: null });
  } else if (action === 'resume') resumeExecution(world, account, execution);
  else if (action === 'stop') end('stopped', 'user_stop');
  else if (action === 'mark-complete') end('completed', 'mark_complete');
  else completeAtMarket(world, account, execution);
}

function resumeExecution(world: World, account: Account, execution: Execution): void {
  const { record } = execution;
  const pausedMs = world.market.now - (execution.pausedSince ?? world.market.now);
  execution.pausedSince = null;
  execution.resumedTime = world.market.now;
  record.status = 'running';
  record.reason = null;
  record.updated_time = world.market.now;
  publishExecution(world, account, execution, { event: 'status' });
  setGoing(world, account, execution, pausedMs);
}

/** Sweeps what remains at the market; the volume cap does not bind it (EXE-7). */
function completeAtMarket(world: World, account: Account, execution: Execution): void {
  execution.completing = true;
  execution.record.phase = 'sweeping';
  new Desk(world, account, execution).sweepAll();
  // A position smaller than the size, or too little to pay or deliver of spot, leaves a rest.
  const reason = execution.record.reduce_only ? 'nothing_to_reduce' : 'insufficient_margin';
  endExecution(world, account, execution, { status: 'stopped', reason });
}

/** The service lost its venue: what runs stands interrupted, what is paused stays so. */
export function interruptExecutions(world: World): void {
  for (const account of world.accounts.values()) {
    for (const execution of account.liveExecutions.values()) {
      if (execution.record.status !== 'running') continue;
      haltExecution(world, account, execution, { status: 'interrupted', reason: 'venue_lost' });
    }
  }
}

/** The account's positions were taken over: nothing that trades them goes on. */
export function stopLiquidated(
  world: World,
  account: Account,
  symbols: readonly string[] | null,
): void {
  for (const execution of account.liveExecutions.values()) {
    if (symbols !== null && !symbols.includes(execution.record.symbol)) continue;
    endExecution(world, account, execution, { status: 'stopped', reason: 'liquidated' });
  }
}
