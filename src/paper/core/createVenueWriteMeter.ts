import type { OrderRecord } from '../../contract/index.ts';
import type { EngineEvent } from './Engine.ts';

/**
 * Counts the writes at the venue that an event implies: an order that is new, moved or cancelled, by a
 * caller, an algorithm or a tracked level. A fill is not a write.
 */
export type VenueWriteMeter = (event: EngineEvent) => number;

export function createVenueWriteMeter(): VenueWriteMeter {
  /** Terms of the open orders by wallet and order: plain numbers, because every order passes here. */
  const byWallet = new Map<string, Map<string, Terms>>();
  return ({ channel, event, wallet, data }) => {
    if (channel !== 'account.state' || event !== 'order' || wallet === null) return 0;
    const { order_id: id, status, price, size } = data as OrderRecord;
    let orders = byWallet.get(wallet);
    if (orders === undefined) byWallet.set(wallet, (orders = new Map<string, Terms>()));
    const known = orders.get(id);
    const isMoved = known !== undefined && (known.price !== price || known.size !== size);
    if (status !== 'open') orders.delete(id);
    else if (known === undefined || isMoved) orders.set(id, { price, size });
    return known === undefined || isMoved || status === 'cancelled' ? 1 : 0;
  };
}

type Terms = Pick<OrderRecord, 'price' | 'size'>;
