import type { Budget } from '../../budget/index.ts';
import type { Dialect, Exchange, ServiceRequest } from '../../contract/index.ts';
import { after, type Env, type Link } from '../../env/index.ts';
import { learnBudget } from './learnBudget.ts';

/** A link's requests; the budget learns from each answer, and what `leaves` returned takes it. */
export function createRequest(
  link: Pick<Link, 'request'>,
  budget: Budget,
  options: {
    dialect: Dialect;
    clock: Pick<Env['clock'], 'wallNow'>;
    leaves(): (exchange: Exchange) => void;
  },
) {
  const { dialect, clock, leaves } = options;
  const remainingHeader = dialect.headers.weightRemaining.toLowerCase();
  const learn = learnBudget(budget, { remainingHeader, wallNow: () => clock.wallNow() });
  return (asked: ServiceRequest): Exchange | Promise<Exchange> => {
    const learnFrom = learn();
    const hear = leaves();
    return after(link.request(asked), (exchange) => {
      hear(exchange);
      return learnFrom(exchange);
    });
  };
}
