import type { ExecutionStatus } from '../../contract/index.ts';
import type { Account } from '../venue/Account.ts';
import type { Basket, BasketLeg } from './Basket.ts';

/** Running while any leg runs; else the first of these states that one of its legs has. */
const LIVELIEST: readonly ExecutionStatus[] = ['running', 'paused', 'interrupted'];

export function basketStatus(account: Account, basket: Basket): ExecutionStatus {
  const statuses = basket.legs.map((leg) => statusOf(account, leg));
  const live = LIVELIEST.find((status) => statuses.includes(status));
  if (live !== undefined) return live;
  return statuses.every((status) => status === 'completed') ? 'completed' : 'stopped';
}

export function basketRecord(account: Account, basket: Basket) {
  return {
    basket_id: basket.basketId,
    name: basket.name,
    template_id: basket.templateId,
    price_range: basket.priceRange,
    legs: basket.legs.map((leg) => ({
      ...leg.request,
      execution_id: leg.executionId,
      status: statusOf(account, leg),
    })),
    status: basketStatus(account, basket),
    created_time: basket.createdTime,
    request: basket.request,
  };
}

/** An execution that retention has dropped had ended. */
function statusOf(account: Account, { executionId, endedAs }: BasketLeg): ExecutionStatus {
  return endedAs ?? account.executions.get(executionId)!.record.status;
}
