import type { Budget } from '../../budget/index.ts';
import type { Dialect, Exchange, ServiceRequest } from '../../contract/index.ts';
import { after, type Link } from '../../env/index.ts';
import { learnBudget } from './learnBudget.ts';

/** A link's requests; the budget learns from each answer. */
export function createRequest(link: Link, budget: Budget, { headers }: Dialect) {
  const remainingHeader = headers.weightRemaining.toLowerCase();
  return (asked: ServiceRequest): Exchange | Promise<Exchange> =>
    after(link.request(asked), (reported: Exchange) =>
      learnBudget(budget, reported, remainingHeader),
    );
}
