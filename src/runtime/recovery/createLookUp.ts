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
/** Pages beyond this are not read: what is not found then is not proven absent. */
const PAGES = 20;

/** The fields of a record that are read here; another shape of the rest does not prevent a match. */
const order = z.looseObject({ order_id: z.string(), client_order_id: z.string().nullish() });
const executions = page(
  z.looseObject({ execution_id: z.string(), client_execution_id: z.string().nullish() }),
);

type Read = Pick<ServiceRequest, 'endpoint'> & { wallet: string } & Partial<
    Pick<ServiceRequest, 'pathParams' | 'query'>
  >;

/**
 * Queries that show what became of an unanswered write, by the client id that it carried. Missing is only what
 * the service reports as missing, in its own envelope or a whole list: a proxy's answer, or one from a cache,
 * is no evidence.
 */
export function createLookUp(options: LookUpOptions) {
  const send = async (asked: Read): Promise<ServiceResponse | undefined> => {
    if (!options.budget.admit('lookup', READ_WEIGHT).admitted) return undefined;
    options.budget.spend(READ_WEIGHT, 'lookup');
    const exchange = await options.request({ pathParams: {}, query: {}, body: '', ...asked });
    if (exchange.kind !== 'answered' || isCached(exchange.response)) return undefined;
    return exchange.response;
  };
  // After an outage many launches are queried at once, all in the same list.
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

/** `not_found` in the service's envelope; the other codes of a 404 mean that something else is missing. */
function isMissing({ status, body }: ServiceResponse): boolean {
  const refusal = readRefusal(status, body);
  return status === 404 && refusal.kind === 'refused' && refusal.fault.code === 'not_found';
}

/** An answer from a cache may be older than the query (RFC 9111: only caches write `Age`). */
const isCached = ({ headers }: ServiceResponse): boolean => 'age' in headers;
