import { compareMove } from '../../contract/bounds.ts';
import { cancelOrder, modifyOrder, placeOrder, type Intent } from '../../intents/index.ts';
import type { RestingOptions, RestingOrder } from './RestingOrder.ts';
import { ROUNDING, type Live, type RestingContext, type Slot, type WantedOrder } from './Slot.ts';

export interface SlotIntentsOptions {
  ctx: Pick<RestingContext, 'byRef' | 'instrument'>;
  symbol: string;
  given: Required<RestingOptions>;
  newRef(slot: string): string;
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
    slot.request = { ref, kind: 'place', isWaiting: true, price, size };
    const time_in_force =
      (order.post_only ?? post_only) ? ('post_only' as const) : ('gtc' as const);
    const flag = reduce_only === true ? { reduce_only } : {};
    return placeOrder.limit({ symbol, side, size, price, time_in_force, ...flag }, { ref });
  }

  function cancel(slot: Slot, live: Live): Intent {
    const ref = newRef(slot.name);
    slot.request = { ref, kind: 'cancel', isWaiting: true, price: live.price, size: live.size };
    return cancelOrder({ ref: live.ref }, { ref });
  }

  /** Nothing is proposed if the order is near enough to what is wanted. */
  function modify(slot: Slot, live: Live, order: WantedOrder): Intent | undefined {
    const { filled } = live.view;
    const aim = slot.request ?? live;
    const resting = aim.size - filled;
    const rest = order.isHeldBack === true ? Math.min(order.size, resting) : order.size;
    const size = ctx.instrument(symbol).roundSize((filled + rest) * (1 + ROUNDING));
    const slack = ROUNDING * rest;
    const isMoved = compareMove(aim.price, order.price, tolerance_bps) > 0;
    const isSmall = resting < top_up_below * rest - slack;
    const isLarge = resting > rest + slack;
    if (!isMoved && !isSmall && !isLarge) return undefined;
    const ref = newRef(slot.name);
    const { price } = isMoved ? order : aim;
    slot.request = { ref, kind: 'modify', isWaiting: true, price, size };
    live.isFound = false;
    return modifyOrder({ ref: live.ref }, { price, size }, { ref });
  }

  return { place, cancel, modify };
}
