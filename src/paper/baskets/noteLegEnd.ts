import type { Execution } from '../algos/Execution.ts';
import type { Account } from '../venue/Account.ts';

/** A basket keeps how its legs ended: their executions may be dropped before it is (retention). */
export function noteLegEnd(account: Account, { basketId, record }: Execution): void {
  const basket = basketId ? account.baskets.get(basketId) : undefined;
  const leg = basket?.legs.find(({ executionId }) => executionId === record.execution_id);
  if (leg !== undefined) leg.endedAs = record.status;
}
