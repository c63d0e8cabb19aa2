import type { Budget } from '../budget/index.ts';
import type { Exchange, ServiceRequest } from '../contract/index.ts';
import type { Emission } from '../strategy/index.ts';
import type { LookUp } from './createSending.ts';
import { shareReads } from './shareReads.ts';

export interface LookUpOptions {
  budget: Budget;
  request(request: ServiceRequest): Exchange | Promise<Exchange>;
}

const READ_WEIGHT = 2;
const RECENT = 500;

type Read = Pick<ServiceRequest, 'endpoint'> & { wallet: string } & Partial<
    Pick<ServiceRequest, 'pathParams' | 'query'>
  >;

/** Reads that tell what an unanswered write became, by the client id that it carried. */
export function createLookUp(options: LookUpOptions) {
  const send = async (asked: Read): Promise<{ status: number; body: unknown } | undefined> => {
    if (!options.budget.admit('lookup', READ_WEIGHT).admitted) return undefined;
    options.budget.spend(READ_WEIGHT, 'lookup');
    const exchange = await options.request({ pathParams: {}, query: {}, body: '', ...asked });
    return exchange.kind === 'answered' ? exchange.response : undefined;
  };
  // After an outage many launches are looked for at once, all in the same list.
  const read = shareReads<Read, Awaited<ReturnType<typeof send>>>(JSON.stringify, send);

  async function lookUpOrder(wallet: string, clientId: string): Promise<LookUp> {
    const pathParams = { id: `client:${clientId}` };
    const found = await read({ wallet, endpoint: 'orders.get', pathParams });
    if (found?.status === 200) return { kind: 'found', record: found.body };
    return found?.status === 404 ? { kind: 'missing' } : { kind: 'unclear' };
  }

  async function lookUpExecution(wallet: string, clientId: string): Promise<LookUp> {
    const query = { limit: RECENT };
    const found = await read({ wallet, endpoint: 'executions.list', query });
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
