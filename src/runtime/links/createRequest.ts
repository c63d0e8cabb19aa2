import type { Exchange, ServiceRequest } from '../../contract/index.ts';
import { after, type Link } from '../../env/index.ts';
import type { BudgetLearning } from './learnBudget.ts';

/** A link's requests; the budget learns from each answer, and what `leaves` returned takes it. */
export function createRequest(
  link: Pick<Link, 'request'>,
  options: {
    learning: Pick<BudgetLearning, 'leaves'>;
    leaves(): (exchange: Exchange) => void;
  },
) {
  const { learning, leaves } = options;
  return (asked: ServiceRequest): Exchange | Promise<Exchange> => {
    const learnFrom = learning.leaves();
    const hear = leaves();
    return after(link.request(asked), (exchange) => {
      hear(exchange);
      return learnFrom(exchange);
    });
  };
}
