import type { ExecutionReason } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from '../venue/Account.ts';
import { standDown } from './endExecution.ts';
import type { Execution } from './Execution.ts';
import { publishExecution } from './publishExecution.ts';

/** Pauses or interrupts: children are cancelled and the schedule's clock stops. */
export function suspendExecution(
  engine: EngineState,
  account: Account,
  execution: Execution,
  { status, reason }: { status: 'paused' | 'interrupted'; reason: ExecutionReason | null },
): void {
  const { record } = execution;
  record.status = status;
  record.reason = reason;
  record.updated_time = engine.market.now;
  execution.pausedSince = engine.market.now;
  standDown(engine, account, execution);
  publishExecution(engine, account, execution, { event: 'status', reason });
}
