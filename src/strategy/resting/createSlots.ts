/**
 * Resting orders by slot: what is wanted → intents, what became of them → what rests.
 *
 * A slot has one order and one request at a time. What is wanted meanwhile waits, and only the last of it is sent. An
 * order whose answer is missing counts as resting until the service shows otherwise, so that none is placed twice.
 */
import { withCode } from '../../contract/index.ts';
import type { InstrumentView, StrategyContext } from '../StrategyContext.ts';
import type { Intent } from '../../intents/index.ts';
import { cancelOrder, modifyOrder, placeOrder } from '../../intents/index.ts';
import type { Outcome, OutcomeState } from '../Outcome.ts';
import type { OwnOrder } from '../OwnEvents.ts';
import type { RefView } from '../refs/createByRef.ts';
import type { RestingOptions, RestingOrder } from './RestingOrder.ts';

export type RestingContext = Pick<
  StrategyContext,
  | 'byRef'
  | 'instrument'
  | 'liveness'
  | 'log'
  | 'now'
  | 'orders$'
  | 'outcomes$'
  | 'position'
  | 'scheduler'
>;

/** The order of a slot; `size` is its total, of which `view.filled` is filled. */
interface Live {
  readonly ref: string;
  readonly view: RefView;
  side: RestingOrder['side'];
  price: number;
  size: number;
}

interface Request {
  ref: string;
  kind: 'place' | 'modify' | 'cancel';
  /** Nothing was sent yet. */
  isWaiting: boolean;
  /** What the order is changed to. */
  price: number;
  size: number;
}

interface Slot {
  readonly name: string;
  live: Live | undefined;
  request: Request | undefined;
  /** After a refusal nothing is sent for it before this time, or before another price is wanted. */
  restUntil: number;
  refused: { price: number } | undefined;
  /** Refusals in a row. */
  refusals: number;
  /** Filled by its earlier orders. */
  bought: number;
  sold: number;
}

/** Filled in a slot so far, base units: by orders of this process, and by found ones since. */
export interface SlotFills {
  bought: number;
  sold: number;
}

export interface OrderSlots {
  /** Intents that bring what rests nearer to what is wanted; the same call again proposes nothing new. */
  reconcile(wanted: readonly RestingOrder[]): Intent[];
  /** A step of one of the instance's intents. */
  follow(outcome: Outcome): void;
  /** An order that the service shows. @returns whether it is one of this set that was not known */
  find(order: OwnOrder): boolean;
  /** What rests in a slot by all that is known, base units. */
  resting(slot: string): number;
  /** What was filled in a slot. */
  fills(slot: string): SlotFills;
  /** Filled over all slots. */
  total(): SlotFills;
  /** Market time at which a refused order may be tried again; undefined if none waits. */
  retryTime(): number | undefined;
}

const REFUSED: readonly OutcomeState[] = ['denied', 'rejected', 'expired', 'absent'];
const DONE: readonly OutcomeState[] = ['accepted', 'duplicate'];
/** The wait after refusals in a row is doubled at most this often. */
const MOST_DOUBLINGS = 6;
/** Sums of sizes differ by less. */
const ROUNDING = 1e-9;

export function createSlots(
  ctx: RestingContext,
  symbol: string,
  options: Required<RestingOptions>,
): OrderSlots {
  const { tolerance_bps, top_up_below, post_only, retry_ms } = options;
  const prefix = `${requireName('name', options.name)}:${symbol.replaceAll(/[^\w.-]/g, '_')}:`;
  const slots = new Map<string, Slot>();
  /** Orders of this set beyond the one of their slot: they are cancelled. */
  const extra = new Map<string, RefView>();
  /** Slots whose order can't rest, and for which that has been logged. */
  const reported = new Set<string>();
  let count = 0;
  let instrument: InstrumentView | undefined;

  function slotOf(name: string): Slot {
    let slot = slots.get(name);
    if (slot === undefined) {
      requireName('slot', name);
      slot = {
        name,
        live: undefined,
        request: undefined,
        restUntil: 0,
        refused: undefined,
        refusals: 0,
        bought: 0,
        sold: 0,
      };
      slots.set(name, slot);
    }
    return slot;
  }

  /** Unique across restarts: two processes never place at the same time. */
  const newRef = (slot: string): string => `${prefix}${slot}:${ctx.now()}.${++count}`;

  const slotNameOf = (ref: string): string => ref.slice(prefix.length, ref.lastIndexOf(':'));

  /** Counts what an ended order filled, and makes room for the next. */
  function clear(slot: Slot): void {
    const { live } = slot;
    if (live === undefined || !live.view.ended) return;
    const { request } = slot;
    const { filled, state } = live.view;
    add(slot, live, filled);
    slot.live = undefined;
    slot.request = undefined;
    // The view knows of a refusal before its outcome is delivered.
    if (request?.ref === live.ref && state !== undefined && REFUSED.includes(state))
      rest(slot, request, state);
  }

  function add(fills: SlotFills, live: Live, filled: number): void {
    if (live.side === 'buy') fills.bought += filled;
    else fills.sold += filled;
  }

  /** Rounded to the venue's grid; undefined if nothing of it can rest. */
  function valid(order: RestingOrder): RestingOrder | undefined {
    instrument ??= ctx.instrument(symbol);
    requireNumber(order, 'size');
    requireNumber(order, 'price');
    // A bound may leave nothing of the order.
    if (order.size <= 0) return undefined;
    const price = instrument.roundPrice(order.price, order.side === 'buy' ? 'down' : 'up');
    const size = instrument.roundSize(order.size * (1 + ROUNDING));
    if (price > 0 && size * price >= instrument.min_order_value) return { ...order, price, size };
    reportOnce(order, instrument.min_order_value);
    return undefined;
  }

  /** Logged, since the author would look for the cause of a missing order elsewhere. */
  function reportOnce({ slot, side, price, size }: RestingOrder, least: number): void {
    if (reported.has(slot)) return;
    reported.add(slot);
    const what = `${options.name}: ${side} ${size} ${symbol} at ${price} in ${slot} is not placed`;
    ctx.log.warn(`${what}: an order is worth ${least} at least, at a price above 0`);
  }

  function place(slot: Slot, order: RestingOrder): Intent {
    const { side, price, size, reduce_only } = order;
    const ref = newRef(slot.name);
    slot.live = { ref, view: ctx.byRef(ref), side, price, size };
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
  function modify(slot: Slot, live: Live, order: RestingOrder): Intent | undefined {
    const { filled } = live.view;
    const aim = slot.request ?? live;
    const size = instrument!.roundSize((filled + order.size) * (1 + ROUNDING));
    const resting = aim.size - filled;
    const slack = ROUNDING * order.size;
    const isMoved = Math.abs(order.price - aim.price) * 10_000 > tolerance_bps * aim.price;
    const isSmall = resting < top_up_below * order.size - slack;
    const isLarge = resting > order.size + slack;
    if (!isMoved && !isSmall && !isLarge) return undefined;
    const ref = newRef(slot.name);
    const { price } = isMoved ? order : aim;
    slot.request = { ref, kind: 'modify', isWaiting: true, price, size };
    return modifyOrder({ ref: live.ref }, { price, size }, { ref });
  }

  function next(slot: Slot, order: RestingOrder | undefined): Intent | undefined {
    const { live, request } = slot;
    if (isResting(slot, order)) return undefined;
    if (live === undefined) return order && place(slot, order);
    // A later change replaces one that is still in the queue; no other request is replaced there.
    if (request !== undefined && !(request.kind === 'modify' && request.isWaiting))
      return undefined;
    if (order === undefined || order.side !== live.side) return cancel(slot, live);
    return modify(slot, live, order);
  }

  /** Only a refusal by the service may depend on the price; a guard's or the budget's does not. */
  function isResting({ restUntil, refused }: Slot, order: RestingOrder | undefined): boolean {
    if (ctx.now() >= restUntil) return false;
    return refused === undefined || order === undefined || order.price === refused.price;
  }

  function rest(slot: Slot, request: Request, state: OutcomeState): void {
    slot.restUntil = ctx.now() + retry_ms * 2 ** Math.min(slot.refusals++, MOST_DOUBLINGS);
    slot.refused = state === 'rejected' ? { price: request.price } : undefined;
  }

  function settle(slot: Slot, request: Request, state: OutcomeState): void {
    request.isWaiting = request.isWaiting && state !== 'sending' && state !== 'unknown';
    const isRefused = REFUSED.includes(state);
    if (!isRefused && !DONE.includes(state)) return;
    slot.request = undefined;
    if (isRefused) rest(slot, request, state);
    else slot.refusals = 0;
    if (request.kind === 'modify' && !isRefused && slot.live !== undefined) {
      slot.live.price = request.price;
      slot.live.size = request.size;
    }
    // What can't be cancelled has ended, or is tried again.
    if (request.kind === 'cancel' && !isRefused) slot.request = { ...request, isWaiting: false };
  }

  return {
    reconcile(wanted) {
      if (ctx.liveness() !== 'live') return [];
      const bySlot = new Map<string, RestingOrder | undefined>();
      for (const order of wanted) bySlot.set(order.slot, valid(order));
      for (const slot of slots.values())
        if (!bySlot.has(slot.name)) bySlot.set(slot.name, undefined);
      const intents: Intent[] = [];
      for (const [ref, view] of extra) {
        extra.delete(ref);
        if (!view.ended) intents.push(cancelOrder({ ref }, { ref: newRef('extra') }));
      }
      for (const [name, order] of bySlot) {
        const slot = slotOf(name);
        clear(slot);
        const intent = next(slot, order);
        if (intent !== undefined) intents.push(intent);
      }
      return intents;
    },
    follow({ intent: { ref }, state }) {
      if (ref === undefined || !ref.startsWith(prefix)) return;
      const slot = slots.get(slotNameOf(ref));
      if (slot?.request?.ref === ref) settle(slot, slot.request, state);
    },
    find({ ref, side, price, size, status }) {
      if (ref === undefined || !ref.startsWith(prefix) || status !== 'open') return false;
      const slot = slotOf(slotNameOf(ref));
      if (slot.live?.ref === ref || extra.has(ref)) return false;
      clear(slot);
      const view = ctx.byRef(ref);
      if (view.ended) return false;
      if (slot.live !== undefined) {
        extra.set(ref, view);
        return true;
      }
      const isBuy = side === 'buy';
      slot.live = { ref, view, side: isBuy ? 'buy' : 'sell', price: price ?? 0, size };
      // Only what fills from now on counts.
      if (isBuy) slot.bought -= view.filled;
      else slot.sold -= view.filled;
      return true;
    },
    resting: (name) => slots.get(name)?.live?.view.remaining ?? 0,
    fills(name) {
      const slot = slots.get(name);
      const fills = { bought: slot?.bought ?? 0, sold: slot?.sold ?? 0 };
      if (slot?.live !== undefined) add(fills, slot.live, slot.live.view.filled);
      return fills;
    },
    total() {
      const sum = { bought: 0, sold: 0 };
      for (const slot of slots.values()) {
        sum.bought += slot.bought;
        sum.sold += slot.sold;
        if (slot.live !== undefined) add(sum, slot.live, slot.live.view.filled);
      }
      return sum;
    },
    retryTime() {
      const times = [...slots.values()].map(({ restUntil }) => restUntil);
      const next = Math.min(...times.filter((time) => time > ctx.now()));
      return Number.isFinite(next) ? next : undefined;
    },
  };
}

/** It becomes a part of a ref, whose parts are separated by colons. */
function requireName(what: 'name' | 'slot', name: string): string {
  if (/^[\w.-]{1,40}$/.test(name)) return name;
  throw withCode(
    'TRIMTAB_INDICATOR_PARAMETER',
    new RangeError(`${what} ${JSON.stringify(name)}: use 1 to 40 of A-Z a-z 0-9 _ . -`),
  );
}

/** @throws RangeError, which ends the strategy: an order of NaN would silently be dropped */
function requireNumber(order: RestingOrder, field: 'price' | 'size'): void {
  if (Number.isFinite(order[field])) return;
  throw withCode(
    'TRIMTAB_INDICATOR_PARAMETER',
    new RangeError(`slot ${order.slot}: its ${field} is ${order[field]}; it must be a number.`),
  );
}
