import { isWithin } from '../../contract/bounds.ts';
import type { ModifyOrderRequest } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { moveQueuedLegs } from '../legs/moveQueuedLegs.ts';
import type { Account } from './Account.ts';
import { checkPrice, checkSize } from './checkGrid.ts';
import { withdraw } from './closeOrder.ts';
import { isOpen, type Order } from './Order.ts';
import { fieldFault } from '../engine/fieldFault.ts';
import { fundsForChange } from './fundsForChange.ts';
import { crosses } from './placeOrder.ts';
import { publishOrder } from './publish.ts';
import { publishHeldAfter } from './publishHeldAfter.ts';
import { restOrder } from './restOrder.ts';
import { takeLiquidity } from './takeLiquidity.ts';

/**
 * Changes price or size of an open limit order; it loses its queue position. A tracked entry is 409
 * `tracked_entry_immutable` while its watch runs (TRK-7), and an execution's child order stays its algorithm's. A price
 * beyond the trigger of a leg that waits for its fill is 422 `wrong_side_trigger` (LEG-8).
 */
export function modifyOrder(
  engine: EngineState,
  account: Account,
  order: Order,
  change: ModifyOrderRequest,
): void {
  const size = change.size ?? order.record.size;
  const price = change.price ?? order.record.price;
  checkChange(engine, account, order, change);
  if (price !== order.record.price) moveQueuedLegs(engine, account, order, price!);
  publishHeldAfter(engine, account, order, () => {
    order.record.size = size;
    moveOrder(engine, account, order, price!);
  });
}

/** Moves a resting order; if it crosses the book now, it takes first. */
export function moveOrder(
  engine: EngineState,
  account: Account,
  order: Order,
  price: number,
): void {
  publishHeldAfter(engine, account, order, () => putAt(engine, account, order, price));
}

function putAt(engine: EngineState, account: Account, order: Order, price: number): void {
  const { record } = order;
  withdraw(engine, order);
  record.price = price;
  // Its size may have changed, too.
  account.openOrders.changed(order);
  record.updated_time = engine.market.now;
  order.bound = price;
  order.placing = true;
  const isTaker = crosses(engine, record.symbol, record.side, price);
  if (isTaker) takeLiquidity(engine, account, order);
  if (isOpen(order)) restOrder(engine, order, isTaker);
  order.placing = false;
  publishOrder(engine, account, order);
}

function checkChange(
  engine: EngineState,
  account: Account,
  order: Order,
  change: ModifyOrderRequest,
): void {
  const { record } = order;
  const { instrument } = engine.market.at(record.symbol);
  if (change.price !== undefined) checkPrice('price', change.price, instrument);
  if (change.size !== undefined) checkSize('size', change.size, instrument);
  const watchId = order.entryTrack?.watch_id;
  if (watchId !== undefined && account.entryWatches.has(watchId)) {
    throw new ServiceError('tracked_entry_immutable', { details: { watch_id: watchId } });
  }
  // A child's price and size are its algorithm's: changed by another, it could fill beyond the total.
  const isChild = record.execution_id !== null;
  if (!isOpen(order) || record.price === null || isChild) {
    const allowed = isOpen(order) ? ['cancel'] : [];
    const details = { from: record.status, action: 'modify', allowed };
    throw new ServiceError('invalid_transition', { details });
  }
  const size = change.size ?? record.size;
  const price = change.price ?? record.price;
  if (size <= record.filled_size) {
    throw fieldFault('size', 'below_filled', `${record.filled_size} of it are filled already.`);
  }
  if (!record.reduce_only && !isWithin(instrument.min_order_value, size * price)) {
    const details = { minimum: instrument.min_order_value, value: size * price };
    throw new ServiceError('below_order_minimum', { details });
  }
  const crossing = crosses(engine, record.symbol, record.side, price);
  if (record.time_in_force === 'post_only' && crossing) {
    throw new ServiceError('would_cross', { details: { price } });
  }
  if (!record.reduce_only) checkChangedFunds(engine, account, order, { size, price });
}

function checkChangedFunds(
  engine: EngineState,
  account: Account,
  order: Order,
  { size, price }: { size: number; price: number },
): void {
  const remaining = size - order.record.filled_size;
  const funds = fundsForChange(engine, account, order, { remaining, price });
  const { fits, code, required, available } = funds;
  if (!fits) throw new ServiceError(code, { details: { required, available } });
}
