import type { OrderRecord } from '../../contract/index.ts';
import type { SavedAccount } from '../state/SavedAccount.ts';
import type { EngineEvent } from './Engine.ts';

/**
 * Counts the writes at the venue that an event implies: an order that is new, moved or cancelled, by a
 * caller, an algorithm or a tracked level. A fill is not a write, and what is rejected never reached the venue.
 */
export type VenueWriteMeter = (event: EngineEvent) => number;

/** @param accounts of an earlier process: their open orders are at the venue already */
export function createVenueWriteMeter(
  accounts: ReadonlyArray<Pick<SavedAccount, 'wallet' | 'orders'>>,
): VenueWriteMeter {
  /** Terms of the open orders by wallet and order: plain numbers, because every order passes here. */
  const byWallet = new Map(
    accounts.map(({ wallet, orders }) => [wallet, openTermsOf(orders)] as const),
  );
  return ({ channel, event, wallet, data }) => {
    if (channel !== 'account.state' || event !== 'order' || wallet === null) return 0;
    const { order_id: id, status, price, size } = data as OrderRecord;
    if (status === 'rejected') return 0;
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

function openTermsOf(orders: SavedAccount['orders']): Map<string, Terms> {
  const open = new Map<string, Terms>();
  for (const [id, { record }] of orders) {
    if (record.status === 'open') open.set(id, { price: record.price, size: record.size });
  }
  return open;
}
