import type { Observable, Subscription } from 'rxjs';
import { ENDED_ORDERS } from '../contract/index.ts';
import type { OwnOrder, OwnOrderEvent } from './OwnEvents.ts';

/** An open order with what is left of it. */
export type OpenOrder = OwnOrder & {
  /** Base units, `size` less `filled_size`; never below 0. */
  remaining_size: number;
};

/** The open orders by symbol, oldest first; they are followed from the first call on. */
export function createOpenOrders(options: {
  orders$: Observable<OwnOrderEvent>;
  lifetime: Subscription;
  onSourceFailed(error: unknown): void;
}): (symbol: string) => OpenOrder[] {
  const open = new Map<string, OwnOrder>();
  let isFollowing = false;

  function follow(): void {
    isFollowing = true;
    options.lifetime.add(
      options.orders$.subscribe({
        next({ event, order }) {
          if (event === 'gone' || ENDED_ORDERS.includes(order.status)) open.delete(order.order_id);
          else open.set(order.order_id, order);
        },
        error: (error) => options.onSourceFailed(error),
      }),
    );
  }

  return (symbol) => {
    if (!isFollowing) follow();
    return [...open.values()]
      .filter((order) => order.symbol === symbol)
      .map((order) => ({
        ...order,
        remaining_size: Math.max(0, order.size - order.filled_size),
      }));
  };
}
