import type { ExecutionStatus } from '../../contract/index.ts';
import type { Execution } from '../algos/Execution.ts';
import type { Account } from '../venue/Account.ts';

/** The state that an execution ended in; null while it has not. */
export function endOf({ record }: Execution): ExecutionStatus | null {
  return record.ended_time === null ? null : record.status;
}

/** A basket keeps how its legs ended: their executions may be dropped before it is (retention). */
export function noteLegEnd(account: Account, { basketId, record }: Execution): void {
  const basket = basketId ? account.baskets.get(basketId) : undefined;
  const leg = basket?.legs.find(({ executionId }) => executionId === record.execution_id);
  if (leg !== undefined) leg.endedAs = record.status;
}
