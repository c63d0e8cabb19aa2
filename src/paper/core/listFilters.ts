import type { EndpointId } from '../../contract/index.ts';
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

/** Whether the endpoint takes this parameter of its query. */
export function takesFilter(endpoint: EndpointId, name: string): boolean {
  const taken: readonly string[] | undefined = FILTERS[endpoint];
  return taken === undefined || taken.includes(name) || !NAMES.some((each) => each === name);
}

/**
 * A filter that does not apply is refused: ignored, it would answer what was not asked for, and applied to
 * records without the field it would empty the list (RULE-1, RULE-2).
 *
 * @throws ServiceError `validation_failed`
 */
export function requireFilters(
  endpoint: EndpointId,
  query: Readonly<Record<string, unknown>>,
): void {
  const fields = NAMES.filter(
    (name) => query[name] !== undefined && !takesFilter(endpoint, name),
  ).map((path) => ({
    path,
    code: 'inapplicable_filter',
    message: `Records of this list have no ${path}.`,
  }));
  if (fields.length === 0) return;
  const message = fields.map(({ path, message: why }) => `${path}: ${why}`).join(' ');
  throw new ServiceError('validation_failed', { message, details: { fields } });
}
