import { ENDPOINTS, type EndpointId } from './endpoints.ts';

/** The simulated venue's delay that applies to a request; null: it is answered at once. */
export type DelayKind = 'order' | 'cancel';

/** Controls that cancel or pause and trade nothing. */
const ENDING = /\.(stop|pause|stopAll|pauseAll|markComplete)$/;
/** Endpoints that change nothing at the venue. */
const AT_REST = /^(market|account|webhooks|streams)\.|Template$|createGroup$/;

/**
 * Reads and settings have no delay. Requests that cancel, stop or pause have that of a cancel; all other
 * actions at the venue have that of an order, including a webhook's alert.
 */
export function delayOf(endpoint: EndpointId): DelayKind | null {
  if (endpoint === 'webhooks.inbound') return 'order';
  const { method } = ENDPOINTS[endpoint];
  if (method === 'GET' || AT_REST.test(endpoint)) return null;
  return method === 'DELETE' || ENDING.test(endpoint) ? 'cancel' : 'order';
}
