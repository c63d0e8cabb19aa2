import type { Budget } from '../budget/index.ts';
import type { Exchange, ServiceRequest } from '../contract/index.ts';
import type { Emission } from '../strategy/index.ts';
import type { LookUp } from './createSending.ts';

export interface LookUpOptions {
  budget: Budget;
  request(request: ServiceRequest): Promise<Exchange>;
}

const READ_WEIGHT = 2;
const RECENT = 500;

/** Reads that tell what an unanswered write became, by the client id that it carried. */
export function createLookUp(options: LookUpOptions) {
  const read = async (
    wallet: string,
    endpoint: 'orders.get' | 'executions.list',
    rest: Partial<Pick<ServiceRequest, 'pathParams' | 'query'>>,
  ): Promise<{ status: number; body: unknown } | undefined> => {
    if (!options.budget.admit('lookup', READ_WEIGHT).admitted) return undefined;
    options.budget.spend(READ_WEIGHT);
    const blank = { endpoint, pathParams: {}, query: {}, body: '', wallet };
    const exchange = await options.request({ ...blank, ...rest });
    return exchange.kind === 'answered' ? exchange.response : undefined;
  };

  async function lookUpOrder(wallet: string, clientId: string): Promise<LookUp> {
    const found = await read(wallet, 'orders.get', { pathParams: { id: `client:${clientId}` } });
    if (found?.status === 200) return { kind: 'found', record: found.body };
    return found?.status === 404 ? { kind: 'missing' } : { kind: 'unclear' };
  }

  async function lookUpExecution(wallet: string, clientId: string): Promise<LookUp> {
    const found = await read(wallet, 'executions.list', { query: { limit: RECENT } });
    if (found?.status !== 200) return { kind: 'unclear' };
    const items = (found.body as { items?: Array<{ client_execution_id?: unknown }> }).items ?? [];
    const own = items.find((item) => item.client_execution_id === clientId);
    return own === undefined ? { kind: 'missing' } : { kind: 'found', record: own };
  }

  return async ({ intent, wallet }: Emission, key: string): Promise<LookUp> => {
    if (intent.kind === 'place_order') {
      return lookUpOrder(wallet, intent.request.client_order_id ?? key);
    }
    if (intent.kind === 'launch') {
      return lookUpExecution(wallet, intent.request.client_execution_id ?? key);
    }
    return { kind: 'unclear' };
  };
}
