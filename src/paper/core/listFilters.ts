import {
  CONNECTION_STATUSES,
  DELIVERY_OUTCOMES,
  EXECUTION_STATUSES,
  LEG_STATUSES,
  MONITOR_STATUSES,
  ORDER_STATUSES,
  type EndpointId,
} from '../../contract/index.ts';
import { ServiceError } from './ServiceError.ts';

const NAMES = ['symbol', 'status'] as const;
type FilterName = (typeof NAMES)[number];

/**
 * The filters that apply to each list (conventions §1: "as they apply"). Any list takes a range of time, which
 * has its own weight (conventions §2).
 */
const FILTERS: Partial<Record<EndpointId, readonly FilterName[]>> = {
  'utility.weights': [],
  'connections.list': ['status'],
  'account.balances': [],
  'account.pnl': ['symbol'],
  'market.instruments': ['symbol'],
  'market.markets': ['symbol'],
  'market.indicators': [],
  'orders.list': ['symbol', 'status'],
  'orders.history': ['symbol', 'status'],
  'orders.fills': ['symbol'],
  'positions.list': ['symbol'],
  'positions.legs': ['symbol', 'status'],
  'executions.algos': [],
  'executions.list': ['symbol', 'status'],
  'executions.orders': ['symbol', 'status'],
  'executions.fills': ['symbol'],
  'executions.events': [],
  'monitors.list': ['symbol', 'status'],
  'monitors.groups': ['status'],
  // That of the action.
  'webhooks.list': ['symbol'],
  // The outcome.
  'webhooks.deliveries': ['status'],
  // Those of its legs.
  'baskets.list': ['symbol', 'status'],
  'baskets.templates': ['symbol'],
};

/** What a record of the list may have as its `status`. */
const STATUSES: Partial<Record<EndpointId, readonly string[]>> = {
  'connections.list': CONNECTION_STATUSES,
  'orders.list': ORDER_STATUSES,
  'orders.history': ORDER_STATUSES,
  'positions.legs': LEG_STATUSES,
  'executions.list': EXECUTION_STATUSES,
  'executions.orders': ORDER_STATUSES,
  'monitors.list': MONITOR_STATUSES,
  'monitors.groups': MONITOR_STATUSES,
  'webhooks.deliveries': DELIVERY_OUTCOMES,
  'baskets.list': EXECUTION_STATUSES,
};

/** The statuses by which the endpoint filters; undefined if it is no list of records that have one. */
export function knownStatuses(endpoint: EndpointId): readonly string[] | undefined {
  return STATUSES[endpoint];
}

/** Whether the endpoint takes this parameter of its query. */
export function takesFilter(endpoint: EndpointId, name: string): boolean {
  const taken: readonly string[] | undefined = FILTERS[endpoint];
  return taken === undefined || taken.includes(name) || !NAMES.some((each) => each === name);
}

/**
 * A filter that no record can pass is refused: one that does not apply to the list, a status that none of its records has,
 * a range of time that ends before it starts. Ignored, it would answer what was not asked for; applied, it would empty
 * the list, which reads as "there is none" (RULE-1, RULE-2).
 *
 * @throws ServiceError `validation_failed`
 */
export function requireFilters(
  endpoint: EndpointId,
  query: Readonly<Record<string, unknown>>,
): void {
  const fields = [
    ...NAMES.filter((name) => query[name] !== undefined && !takesFilter(endpoint, name)).map(
      (path) => ({
        path: path as string,
        code: 'inapplicable_filter',
        message: `Records of this list have no ${path}.`,
      }),
    ),
    ...unknownStatus(endpoint, query['status']),
    ...invertedRange(query['start_time'], query['end_time']),
  ];
  if (fields.length === 0) return;
  const message = fields.map(({ path, message: why }) => `${path}: ${why}`).join(' ');
  throw new ServiceError('validation_failed', { message, details: { fields } });
}

function unknownStatus(endpoint: EndpointId, status: unknown) {
  const known = knownStatuses(endpoint);
  if (known === undefined || typeof status !== 'string' || known.includes(status)) return [];
  const message = `No record of this list has that status; there are ${known.join(', ')}.`;
  return [{ path: 'status', code: 'unknown_status', message }];
}

/** `start_time` is in the range, and `end_time` is not: a range of no length is empty and none is wrong. */
function invertedRange(from: unknown, until: unknown) {
  if (typeof from !== 'number' || typeof until !== 'number' || from <= until) return [];
  const message = `It is before start_time, ${from}; no record can be in that range.`;
  return [{ path: 'end_time', code: 'before_start', message }];
}
