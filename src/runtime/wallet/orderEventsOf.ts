import { Observable } from 'rxjs';
import type { OrderRecord } from '../../contract/index.ts';
import type { OwnOrderEvent } from '../../strategy/OwnEvents.ts';
import type { AccountModel, WalletStreams } from '../../streams/index.ts';

/** Open orders first, then each state of an order, and what a snapshot after an outage lacks. */
export function orderEventsOf(
  wallet: Pick<WalletStreams, 'account$' | 'orders$'>,
): Observable<OwnOrderEvent> {
  return new Observable((subscriber) => {
    let last: AccountModel | undefined;
    const subscription = wallet.account$.subscribe((model) => {
      // Only a snapshot replaces the account's record.
      if (model.account !== last?.account)
        for (const event of ofSnapshot(last, model)) subscriber.next(event);
      last = model;
    });
    subscription.add(
      wallet.orders$.subscribe((order) => subscriber.next({ event: 'changed', order })),
    );
    return subscription;
  });
}

/** What a snapshot shows that was not known: new states, and the lack of what was open before it. */
function ofSnapshot(
  before: Pick<AccountModel, 'openOrders'> | undefined,
  { openOrders }: Pick<AccountModel, 'openOrders'>,
): OwnOrderEvent[] {
  const shown = [...openOrders.values()]
    .filter((order) => !isSame(order, before?.openOrders.get(order.order_id)))
    .map((order) => ({ event: 'snapshot' as const, order }));
  const gone = [...(before?.openOrders ?? [])]
    .filter(([id]) => !openOrders.has(id))
    .map(([, order]) => ({ event: 'gone' as const, order }));
  return [...shown, ...gone];
}

const isSame = (order: OrderRecord, known: OrderRecord | undefined): boolean =>
  known !== undefined &&
  order.updated_time === known.updated_time &&
  order.filled_size === known.filled_size &&
  order.size === known.size &&
  order.price === known.price;
