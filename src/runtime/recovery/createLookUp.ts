import { z } from 'zod';
import type { Budget } from '../../budget/index.ts';
import {
  page,
  readRefusal,
  type Exchange,
  type ServiceRequest,
  type ServiceResponse,
} from '../../contract/index.ts';
import type { Emission } from '../../strategy/index.ts';
import type { LookUp } from '../pipe/index.ts';
import { shareReads } from './shareReads.ts';

export interface LookUpOptions {
  budget: Budget;
  /** Largest page of a list, `limits.pageMax` of the dialect. */
  pageMax: number;
  request(request: ServiceRequest): Exchange | Promise<Exchange>;
}

const READ_WEIGHT = 2;
/** Further back than so many pages is not looked: what is not found is not proven absent then. */
const PAGES = 20;

/** What is read of a record here; a field of another shape is no reason to find nothing. */
const order = z.looseObject({ order_id: z.string(), client_order_id: z.string().nullish() });
const executions = page(
  z.looseObject({ execution_id: z.string(), client_execution_id: z.string().nullish() }),
);

type Read = Pick<ServiceRequest, 'endpoint'> & { wallet: string } & Partial<
    Pick<ServiceRequest, 'pathParams' | 'query'>
  >;

/**
 * Reads that tell what an unanswered write became, by the client id that it carried. Missing is what the
 * service says is missing, in its own envelope or a whole list: the word of a proxy on the way, or an
 * answer out of a cache, is no evidence.
 */
export function createLookUp(options: LookUpOptions) {
  const send = async (asked: Read): Promise<ServiceResponse | undefined> => {
    if (!options.budget.admit('lookup', READ_WEIGHT).admitted) return undefined;
    options.budget.spend(READ_WEIGHT, 'lookup');
    const exchange = await options.request({ pathParams: {}, query: {}, body: '', ...asked });
    if (exchange.kind !== 'answered' || isCached(exchange.response)) return undefined;
    return exchange.response;
  };
  // After an outage many launches are looked for at once, all in the same list.
  const read = shareReads<Read, Awaited<ReturnType<typeof send>>>(JSON.stringify, send);

  async function lookUpOrder(wallet: string, clientId: string): Promise<LookUp> {
    const pathParams = { id: `client:${clientId}` };
    const found = await read({ wallet, endpoint: 'orders.get', pathParams });
    if (found === undefined) return { kind: 'unclear' };
    if (found.status !== 200) return { kind: isMissing(found) ? 'missing' : 'unclear' };
    const parsed = order.safeParse(found.body);
    const isIt = parsed.success && (parsed.data.client_order_id ?? clientId) === clientId;
    return isIt ? { kind: 'found', record: found.body } : { kind: 'unclear' };
  }

  async function lookUpExecution(wallet: string, clientId: string): Promise<LookUp> {
    let cursor: string | null = null;
    for (let count = 0; count < PAGES; count++) {
      const query = { limit: options.pageMax, ...(cursor === null ? {} : { cursor }) };
      const found = await read({ wallet, endpoint: 'executions.list', query });
      if (found?.status !== 200) return { kind: 'unclear' };
      const list = executions.safeParse(found.body);
      if (!list.success) return { kind: 'unclear' };
      const own = list.data.items.find((item) => item.client_execution_id === clientId);
      if (own !== undefined) return { kind: 'found', record: own };
      cursor = list.data.next_cursor;
      if (cursor === null) return { kind: 'missing' };
    }
    return { kind: 'unclear' };
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

/** `not_found` in the service's own envelope; the other codes of a 404 say that something else is missing. */
function isMissing({ status, body }: ServiceResponse): boolean {
  const refusal = readRefusal(status, body);
  return status === 404 && refusal.kind === 'refused' && refusal.fault.code === 'not_found';
}

/** What a cache on the way gives may be older than the question (RFC 9111: only caches write `Age`). */
const isCached = ({ headers }: ServiceResponse): boolean => 'age' in headers;
