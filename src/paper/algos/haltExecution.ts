import type { ExecutionReason } from '../../contract/index.ts';
import type { World } from '../engine/World.ts';
import type { Account } from '../venue/Account.ts';
import { standDown } from './endExecution.ts';
import type { Execution } from './Execution.ts';
import { publishExecution } from './publishExecution.ts';

/** Pauses or interrupts: children are cancelled and the schedule's clock stands still. */
export function haltExecution(
  world: World,
  account: Account,
  execution: Execution,
  { status, reason }: { status: 'paused' | 'interrupted'; reason: ExecutionReason | null },
): void {
  const { record } = execution;
  record.status = status;
  record.reason = reason;
  record.updated_time = world.market.now;
  execution.pausedSince = world.market.now;
  standDown(world, account, execution);
  publishExecution(world, account, execution, { event: 'status', reason });
}
