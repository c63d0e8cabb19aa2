import { compareMove, isWithin } from '../../contract/bounds.ts';
import { snapSize } from '../../contract/sizes.ts';
import { cancelOrder, modifyOrder, placeOrder, type Intent } from '../../intents/index.ts';
import type { RestingOptions, RestingOrder } from './RestingOrder.ts';
import type { Live, Purpose, RestingContext, Slot, WantedOrder } from './Slot.ts';

export interface SlotIntentsOptions {
  ctx: Pick<RestingContext, 'byRef' | 'instrument'>;
  symbol: string;
  given: Required<RestingOptions>;
  newRef(slot: string): string;
}

/** What an order is changed to; `size` is its total, what was filled of it included. */
export interface Change {
  purpose: Purpose;
  side: RestingOrder['side'];
  price: number;
  size: number;
}

/** The intents of a slot, each noted in it as its request. */
export function createSlotIntents({ ctx, symbol, given, newRef }: SlotIntentsOptions) {
  const { tolerance_bps, top_up_below, post_only } = given;

  function place(slot: Slot, order: RestingOrder): Intent {
    const { side, price, size, reduce_only } = order;
    const ref = newRef(slot.name);
    slot.live = {
      ref,
      view: ctx.byRef(ref),
      side,
      price,
      size,
      before: 0,
      filled: 0,
      isFound: false,
      endedAt: undefined,
    };
    slot.request = { ref, kind: 'place', purpose: 'entry', side, isWaiting: true, price, size };
    const time_in_force =
      (order.post_only ?? post_only) ? ('post_only' as const) : ('gtc' as const);
    const flag = reduce_only === true ? { reduce_only } : {};
    return placeOrder.limit({ symbol, side, size, price, time_in_force, ...flag }, { ref });
  }

  function cancel(slot: Slot, live: Live): Intent {
    const ref = newRef(slot.name);
    const { side, price, size } = live;
    const purpose = 'withdrawal';
    slot.request = { ref, kind: 'cancel', purpose, side, isWaiting: true, price, size };
    return cancelOrder({ ref: live.ref }, { ref });
  }

  /** undefined if the order is near enough to what is wanted. */
  function changeOf(slot: Slot, live: Live, order: WantedOrder): Change | undefined {
    const { filled } = live.view;
    const aim = slot.request ?? live;
    const { size_decimals } = ctx.instrument(symbol);
    const resting = snapSize(aim.size - filled, size_decimals);
    const rest = order.isHeldBack === true ? Math.min(order.size, resting) : order.size;
    // All of them are whole steps, but for the last digits of their sums.
    const size = snapSize(filled + rest, size_decimals);
    const isMoved = compareMove(aim.price, order.price, tolerance_bps) > 0;
    const isSmall = !isWithin(top_up_below * rest, resting);
    const isLarge = size < aim.size;
    if (!isMoved && !isSmall && !isLarge) return undefined;
    const { price } = isMoved ? order : aim;
    const purpose = price === live.price && size < live.size ? 'reduction' : 'entry';
    return { purpose, side: live.side, price, size };
  }

  function modify(slot: Slot, live: Live, change: Change): Intent {
    const ref = newRef(slot.name);
    const { price, size } = change;
    slot.request = { ref, kind: 'modify', isWaiting: true, ...change };
    live.isFound = false;
    return modifyOrder({ ref: live.ref }, { price, size }, { ref });
  }

  return { place, cancel, changeOf, modify };
}
