import type { OrderRecord } from '../../contract/index.ts';
import type { EngineEvent } from './Engine.ts';

/**
 * Counts what an event tells of writes at the venue: an order that is new, moved or cancelled, by
 * whomever (a caller, an algorithm, a tracked level). A fill is no write.
 */
export type VenueWriteMeter = (event: EngineEvent) => number;

export function createVenueWriteMeter(): VenueWriteMeter {
  /** Terms of the open orders, by wallet and order. */
  const terms = new Map<string, string>();
  return ({ channel, event, wallet, data }) => {
    if (channel !== 'account.state' || event !== 'order') return 0;
    const order = data as OrderRecord;
    const name = `${wallet} ${order.order_id}`;
    const known = terms.get(name);
    const now = `${order.price} ${order.size}`;
    if (order.status === 'open') terms.set(name, now);
    else terms.delete(name);
    if (known === undefined) return 1;
    return known !== now || order.status === 'cancelled' ? 1 : 0;
  };
}
