import { z } from 'zod';
import { readWeight, type Budget } from '../../budget/index.ts';
import {
  page,
  readRefusal,
  type Dialect,
  type Exchange,
  type ServiceRequest,
  type ServiceResponse,
} from '../../contract/index.ts';
import { isOfCache } from '../../contract/isOfCache.ts';
import { nextCursor } from '../../contract/nextCursor.ts';
import type { MarketClock } from '../../env/index.ts';
import { idempotencyKeyOf } from '../../journal/index.ts';
import type { Emission } from '../../strategy/index.ts';
import type { LookUp } from '../pipe/index.ts';
import { shareReads } from './shareReads.ts';

export interface LookUpOptions {
  budget: Budget;
  dialect: Pick<Dialect, 'endpoints' | 'limits'>;
  market: Pick<MarketClock, 'now'>;
  request(request: ServiceRequest): Exchange | Promise<Exchange>;
}

/** More of one decision would each have been proven absent, minutes apart. */
const MOST_GENERATIONS = 100;
/** Pages beyond this are not read: what is not found then is not proven absent. */
const PAGES = 20;
/**
 * How much earlier than its decision a launch may be stamped: the clocks of the two sides are compared by answers, and
 * were not while none came.
 */
const TOLERANCE_MS = 600_000;
/** Launches that were decided within this are looked for in the same list, which they share. */
const SPAN_MS = 600_000;

/** The fields of a record that are read here; another shape of the rest does not prevent a match. */
const key = z.unknown().optional();
const order = z.looseObject({
  order_id: z.string(),
  client_order_id: z.string().nullish(),
  idempotency_key: key,
});
/** What a change of an order sets. */
const changes = z.record(z.string(), z.unknown());
/** How a path names an order by its client id. */
const CLIENT = 'client:';

/** What one query shows of a change, and the order as it is, if the service has it. */
interface Looked {
  record?: z.infer<typeof order>;
  result: LookUp;
}
const GONE: Looked = { result: { kind: 'missing' } };
const executions = page(
  z.looseObject({
    execution_id: z.string(),
    client_execution_id: z.string().nullish(),
    idempotency_key: key,
  }),
);

type Read = Pick<ServiceRequest, 'endpoint'> & { wallet: string } & Partial<
    Pick<ServiceRequest, 'pathParams' | 'query'>
  >;

/**
 * Queries that show what became of an unanswered write: of an order or a launch by the client id that it carried, of a
 * change of an order by that order. Missing is only what the service reports as missing, in its own envelope or a whole
 * list: a proxy's answer, or one from a cache, is no evidence.
 */
export function createLookUp(options: LookUpOptions) {
  const { budget, dialect, market } = options;
  const send = async (asked: Read): Promise<ServiceResponse | undefined> => {
    const weight = readWeight(dialect, asked);
    if (!budget.admit('lookup', weight).admitted) return undefined;
    budget.spend(weight, 'lookup');
    const exchange = await options.request({ pathParams: {}, query: {}, body: '', ...asked });
    if (exchange.kind !== 'answered' || isOfCache(exchange.response)) return undefined;
    return exchange.response;
  };
  // After an outage many launches are queried at once, all in the same list.
  const read = shareReads<Read, Awaited<ReturnType<typeof send>>>(JSON.stringify, send);

  async function lookUpOrder(
    wallet: string,
    clientId: string,
    isOther: (key: unknown) => boolean,
  ): Promise<LookUp> {
    const pathParams = { id: `${CLIENT}${clientId}` };
    const found = await read({ wallet, endpoint: 'orders.get', pathParams });
    if (found === undefined) return { kind: 'unclear' };
    if (found.status !== 200) return { kind: isMissing(found) ? 'missing' : 'unclear' };
    const parsed = order.safeParse(found.body);
    const isIt = parsed.success && (parsed.data.client_order_id ?? clientId) === clientId;
    if (!isIt) return { kind: 'unclear' };
    return isOther(parsed.data.idempotency_key)
      ? { kind: 'taken' }
      : { kind: 'found', record: found.body };
  }

  /**
   * An order that has what the change sets: it was executed, or would change nothing. One that has not: it was not
   * executed, or another one has set the fields since, so that nothing is left of it. A venue may make a changed order
   * anew, under its client id (ORD-3): what was cancelled shows by that id what became of it. Of a client id that the
   * service does not have any more nothing is left either.
   */
  async function lookUpChange(
    wallet: string,
    { pathParams, body }: ServiceRequest,
  ): Promise<LookUp> {
    const set = changes.parse(JSON.parse(body));
    const look = async (id: string): Promise<Looked | undefined> => {
      const found = await read({ wallet, endpoint: 'orders.get', pathParams: { id } });
      if (found === undefined) return undefined;
      if (id.startsWith(CLIENT) && isMissing(found)) return GONE;
      if (found.status !== 200) return undefined;
      const record = order.safeParse(found.body).data;
      const names = Object.keys(set);
      if (record === undefined || names.some((name) => record[name] === undefined))
        return undefined;
      const isSet = names.every((name) => record[name] === set[name]);
      const result: LookUp = isSet ? { kind: 'found', record: found.body } : { kind: 'missing' };
      return { record, result };
    };
    const { id } = pathParams;
    const first = id === undefined ? undefined : await look(id);
    if (id === undefined || first === undefined) return { kind: 'unclear' };
    const { record, result } = first;
    if (result.kind === 'found' || record?.['status'] !== 'cancelled' || id.startsWith(CLIENT)) {
      return result;
    }
    const clientId = record.client_order_id;
    if (typeof clientId !== 'string' || clientId === '') return { kind: 'unclear' };
    return (await look(`${CLIENT}${clientId}`))?.result ?? { kind: 'unclear' };
  }

  /** A wallet's history is longer than what is read of it: nothing before the decision can be the launch. */
  function earliestOf({ marketTime }: Emission): number {
    // The service's clock may have been set back since, or a replay started over.
    const since = Math.min(marketTime, market.now()) - TOLERANCE_MS;
    return Math.max(0, Math.floor(since / SPAN_MS) * SPAN_MS);
  }

  async function lookUpExecution(
    emission: Emission,
    clientId: string,
    isOther: (key: unknown) => boolean,
  ): Promise<LookUp> {
    const { wallet } = emission;
    const range = { start_time: earliestOf(emission), limit: dialect.limits.pageMax };
    let cursor: string | undefined;
    for (let count = 0; count < PAGES; count++) {
      const query = { ...range, ...(cursor === undefined ? {} : { cursor }) };
      const found = await read({ wallet, endpoint: 'executions.list', query });
      if (found?.status !== 200) return { kind: 'unclear' };
      const list = executions.safeParse(found.body);
      if (!list.success) return { kind: 'unclear' };
      const own = list.data.items.find((item) => item.client_execution_id === clientId);
      if (own !== undefined)
        return isOther(own.idempotency_key) ? { kind: 'taken' } : { kind: 'found', record: own };
      cursor = nextCursor(list.data);
      if (cursor === undefined) return { kind: 'missing' };
    }
    return { kind: 'unclear' };
  }

  return async (emission: Emission, key: string, sent?: ServiceRequest): Promise<LookUp> => {
    const { intent, wallet } = emission;
    if (sent?.endpoint === 'orders.modify') return lookUpChange(wallet, sent);
    if (intent.kind === 'place_order') {
      const { client_order_id: id, price_from: from } = intent.request;
      // The service makes a moved order anew (ORD-3), maybe under a key of its own.
      const isCompared = id !== undefined && from?.track !== true;
      return lookUpOrder(wallet, id ?? key, isCompared ? isOtherOf(emission, key) : NOT_OTHERS);
    }
    if (intent.kind === 'launch') {
      const { client_execution_id: id } = intent.request;
      const isOther = id === undefined ? NOT_OTHERS : isOtherOf(emission, key);
      return lookUpExecution(emission, id ?? key, isOther);
    }
    return { kind: 'unclear' };
  };
}

/** An id that is the key itself is nobody else's. */
const NOT_OTHERS = (): boolean => false;

/**
 * Whether a record's key is another request's than this decision's, whose former generations have keys of their own.
 * A record without a key says nothing.
 */
function isOtherOf({ decisionKey }: Emission, ours: string): (key: unknown) => boolean {
  return (key) => {
    if (typeof key !== 'string' || key === '') return false;
    for (let generation = 0; generation < MOST_GENERATIONS; generation++) {
      const own = idempotencyKeyOf(decisionKey, generation);
      if (own === key) return false;
      if (own === ours) return true;
    }
    return key !== ours;
  };
}

/** `not_found` in the service's envelope; the other codes of a 404 mean that something else is missing. */
function isMissing({ status, body }: ServiceResponse): boolean {
  const refusal = readRefusal(status, body);
  return status === 404 && refusal.kind === 'refused' && refusal.fault.code === 'not_found';
}
