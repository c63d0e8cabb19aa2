import { ENDPOINTS, type EndpointId, type Layer, type LayerStatus } from '../../contract/index.ts';
import { ServiceError } from './ServiceError.ts';

/** The layer of the venue that a family of endpoints needs. */
const LAYER_OF: Readonly<Record<string, Layer>> = {
  market: 'market_data',
  orders: 'orders',
  positions: 'orders',
  leverage: 'orders',
  account: 'account',
  executions: 'executions',
  baskets: 'executions',
};
const BY_ENDPOINT: ReadonlyMap<string, Layer | undefined> = new Map(
  Object.keys(ENDPOINTS).map((endpoint) => [endpoint, LAYER_OF[endpoint.split('.')[0] ?? '']]),
);

/**
 * A layer that is down serves nothing; a degraded one still serves (STR-4).
 *
 * @throws ServiceError `venue_unavailable`, naming the layer
 */
export function requireLayer(
  layers: Readonly<Record<Layer, LayerStatus>>,
  endpoint: EndpointId,
): void {
  const layer = BY_ENDPOINT.get(endpoint);
  if (layer === undefined || layers[layer] !== 'down') return;
  throw new ServiceError('venue_unavailable', { details: { layer } });
}
