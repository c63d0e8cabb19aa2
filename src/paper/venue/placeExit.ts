import type { Side } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import type { Order } from './Order.ts';
import { createOrder, enterOrder } from './placeOrder.ts';

/**
 * A reduce-only market order of the service itself: a triggered leg, or a liquidation. It pays any price;
 * what can't fill at once continues with the liquidity that comes next.
 */
export function placeExit(
  engine: EngineState,
  account: Account,
  exit: {
    symbol: string;
    side: Side;
    size: number;
    request: unknown;
    /** Absent: the venue's share of the volume; null: no cap. */
    volumeShare?: null;
  },
): Order {
  const order = createOrder(engine, account, {
    ...exit,
    price: null,
    timeInForce: null,
    slippageBps: null,
    reduceOnly: true,
    persistent: true,
  });
  return enterOrder(engine, account, order, () => {});
}
