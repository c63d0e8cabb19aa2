import { ENDPOINTS, type EndpointId } from './endpoints.ts';

/** Which of a simulated venue's delays holds for a request; null: it is answered as it comes. */
export type DelayKind = 'order' | 'cancel';

/** Controls that take something off, or hold it, and trade nothing. */
const ENDING = /\.(stop|pause|stopAll|pauseAll|markComplete)$/;
/** What changes nothing at the venue. */
const AT_REST = /^(market|account|webhooks|streams)\.|Template$|createGroup$/;

/**
 * Reads and settings have no delay. What cancels, stops or pauses has that of a cancel; all else that is
 * done at the venue has that of an order, and so has an alert that comes by a webhook.
 */
export function delayOf(endpoint: EndpointId): DelayKind | null {
  if (endpoint === 'webhooks.inbound') return 'order';
  const { method } = ENDPOINTS[endpoint];
  if (method === 'GET' || AT_REST.test(endpoint)) return null;
  return method === 'DELETE' || ENDING.test(endpoint) ? 'cancel' : 'order';
}
