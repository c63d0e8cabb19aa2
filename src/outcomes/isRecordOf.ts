import type { EndpointId } from '../contract/index.ts';

/** Fields that name the record that an endpoint of a family creates or changes; one of them is present. */
const NAMES_OF_FAMILY: Readonly<Record<string, readonly string[]>> = {
  orders: ['order_id'],
  executions: ['execution_id'],
  monitors: ['monitor_id'],
  baskets: ['basket_id'],
  webhooks: ['webhook_id'],
  leverage: ['leverage'],
};

/** Endpoints whose record differs from their family's. */
const NAMES_OF_ENDPOINT: Partial<Record<EndpointId, readonly string[]>> = {
  'orders.bulkCancel': ['results'],
  'executions.batch': ['results'],
  'monitors.stopAll': ['results'],
  'monitors.pauseAll': ['results'],
  'monitors.resumeAll': ['results'],
  'monitors.createGroup': ['group_id'],
  'baskets.createTemplate': ['template_id'],
  'baskets.removeTemplate': ['template_id'],
  'positions.close': ['order_id', 'execution_id'],
  'positions.attachLegs': ['legs'],
  'positions.retireLegs': ['legs'],
};

/**
 * Whether a success is the endpoint's record, judging by its id: a page or a status line of a proxy has none,
 * and shows nothing of what the service did. All other fields may change with the service (ERR-2).
 */
export function isRecordOf(endpoint: EndpointId, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const [family = ''] = endpoint.split('.');
  const names = NAMES_OF_ENDPOINT[endpoint] ?? NAMES_OF_FAMILY[family];
  if (names === undefined) return true;
  return names.some((name) => isGiven((body as Record<string, unknown>)[name]));
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
