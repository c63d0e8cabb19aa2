/**
 * Resting orders by slot: what is wanted → intents, what became of them → what rests.
 *
 * A slot has one order and one request at a time. What is wanted meanwhile waits, and only the last of it is sent. An
 * order whose answer is missing counts as resting until the service shows otherwise, so that none is placed twice.
 */
import { compareMove, isWithin } from '../../contract/bounds.ts';
import { withCode } from '../../contract/index.ts';
import type { InstrumentView, StrategyContext } from '../StrategyContext.ts';
import type { Intent } from '../../intents/index.ts';
import { cancelOrder, modifyOrder, placeOrder } from '../../intents/index.ts';
import type { Outcome, OutcomeState } from '../Outcome.ts';
import type { OwnOrder, OwnOrderEvent } from '../OwnEvents.ts';
import type { RefView } from '../refs/createByRef.ts';
import { ENDED_ORDERS } from '../refs/RefState.ts';
import type { RestingOptions, RestingOrder } from './RestingOrder.ts';

export type RestingContext = Pick<
  StrategyContext,
  | 'byRef'
  | 'fills$'
  | 'instrument'
  | 'liveness'
  | 'log'
  | 'now'
  | 'orders$'
  | 'outcomes$'
  | 'position'
  | 'scheduler'
>;

/** An order that should rest, as a plan works it out. */
export interface WantedOrder extends RestingOrder {
  /**
   * The size that was asked for, of which `size` is what is left: only if this is too small to be placed is that news
   * to the author. Default: `size`.
   */
  asked?: number;
  /** It is not placed, and what rests of it is not enlarged; a smaller size and another price are sent. */
  isHeldBack?: boolean;
}

/** An order of a slot; `size` is its total, of which `view.filled` is filled. */
interface Live {
  readonly ref: string;
  readonly view: RefView;
  readonly side: RestingOrder['side'];
  price: number;
  size: number;
  /** Filled before the start, base units: the position at the start has it. */
  readonly before: number;
  /** The most that was seen of `view.filled`, which may be forgotten long after the end. */
  filled: number;
  /** What it is changed to is known from the service alone: an earlier process placed it, and may have changed it. */
  isFound: boolean;
  /** Market time at which it was seen to have ended. */
  endedAt: number | undefined;
}

/** An order beyond the one of its slot; it is cancelled. */
interface Extra {
  readonly slot: Slot;
  readonly live: Live;
  /** Ref of the cancel on its way or accepted. */
  asked: string | undefined;
  restUntil: number;
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
  /** Its last orders that ended, oldest first: their fills may be shown later than their ends. */
  readonly past: Live[];
  /** Filled by orders before those. */
  bought: number;
  sold: number;
}

/** Filled in a slot so far, base units: by orders of this process, and by found ones since the start. */
export interface SlotFills {
  bought: number;
  sold: number;
}

export interface OrderSlots {
  /** Intents that bring what rests nearer to what is wanted; the same call again proposes nothing new. */
  reconcile(wanted: readonly WantedOrder[]): Intent[];
  /** A step of one of the instance's intents. */
  follow(outcome: Outcome): void;
  /** An order that the service shows. @returns whether it is an open one of this set that was not known */
  find(order: OwnOrder, event: OwnOrderEvent['event']): boolean;
  /** Whether a fill with this ref is one of an order that had ended. */
  isLate(ref: string | undefined): boolean;
  /** What rests in a slot by all that is known, base units. */
  resting(slot: string): number;
  /**
   * Market time until which fills may be shown of an order that is gone: it was open before an outage and is missing
   * after it. undefined if there is none.
   */
  unseenUntil(slot: string): number | undefined;
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
/** Fills of an outage are read, and read once more 35 seconds later, since a list may lack the last ones. */
const UNSEEN_MS = 60_000;
/** Ended orders of a slot whose fills may still be shown. */
const MOST_PAST = 4;
/** Refs of orders before those, by which a state that is shown again is recognised. */
const MOST_OVER = 1_000;

export function createSlots(
  ctx: RestingContext,
  symbol: string,
  options: Required<RestingOptions>,
): OrderSlots {
  const { tolerance_bps, top_up_below, post_only, retry_ms } = options;
  const prefix = `${requireName('name', options.name)}:${symbol.replaceAll(/[^\w.-]/g, '_')}:`;
  const slots = new Map<string, Slot>();
  const extras = new Map<string, Extra>();
  /** Orders whose fills are in their slot's sums. */
  const over = new Set<string>();
  /** Something was proposed, or could have been: what the position is worked out from is older than what comes now. */
  let hasStarted = false;
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
        past: [],
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

  /** Makes room for the next order once the one of the slot has ended. */
  function clear(slot: Slot): void {
    const { live, request } = slot;
    if (live === undefined || !live.view.ended) return;
    const { state } = live.view;
    retire(slot, live);
    slot.live = undefined;
    slot.request = undefined;
    // The view knows of a refusal before its outcome is delivered.
    if (request?.ref === live.ref && state !== undefined && REFUSED.includes(state))
      rest(slot, request, state);
  }

  function retire(slot: Slot, live: Live): void {
    live.endedAt ??= ctx.now();
    slot.past.push(live);
    if (slot.past.length <= MOST_PAST) return;
    const oldest = slot.past.shift()!;
    add(slot, oldest);
    over.add(oldest.ref);
    if (over.size > MOST_OVER) over.delete(over.values().next().value!);
  }

  function add(fills: SlotFills, live: Live): void {
    live.filled = Math.max(live.filled, live.view.filled);
    const filled = live.filled - live.before;
    if (live.side === 'buy') fills.bought += filled;
    else fills.sold += filled;
  }

  function addAll(fills: SlotFills, slot: Slot): void {
    fills.bought += slot.bought;
    fills.sold += slot.sold;
    for (const live of slot.past) add(fills, live);
    if (slot.live !== undefined) add(fills, slot.live);
    for (const extra of extras.values()) if (extra.slot === slot) add(fills, extra.live);
  }

  function clearExtras(): void {
    for (const [ref, { slot, live }] of extras) {
      if (!live.view.ended) continue;
      extras.delete(ref);
      retire(slot, live);
    }
  }

  /** What is left of a cancelled order may fill until the cancel arrives, so it is counted until it has ended. */
  function cancelExtras(): Intent[] {
    clearExtras();
    const intents: Intent[] = [];
    for (const [ref, extra] of extras) {
      if (extra.asked !== undefined || ctx.now() < extra.restUntil) continue;
      extra.asked = newRef('extra');
      intents.push(cancelOrder({ ref }, { ref: extra.asked }));
    }
    return intents;
  }

  function followExtra(ref: string, state: OutcomeState): void {
    for (const extra of extras.values()) {
      if (extra.asked !== ref || !REFUSED.includes(state)) continue;
      extra.asked = undefined;
      extra.restUntil = ctx.now() + retry_ms;
    }
  }

  /** An order of the process before, or one that was taken for ended. */
  function foundOf(order: OwnOrder & { ref: string }, event: OwnOrderEvent['event']): Live {
    const { ref, side, price, size } = order;
    const view = ctx.byRef(ref);
    // What is open at the start filled before the position that the start shows; what comes later fills after it.
    const before = event === 'snapshot' && !hasStarted ? view.filled : 0;
    return {
      ref,
      view,
      side: side === 'buy' ? 'buy' : 'sell',
      price: price ?? 0,
      size,
      before,
      filled: view.filled,
      isFound: true,
      endedAt: undefined,
    };
  }

  /** Takes back an order that was missing in a snapshot and is shown again. */
  function reviveOf({ past }: Slot, ref: string): Live | undefined {
    const at = past.findIndex((live) => live.ref === ref);
    if (at < 0 || past[at]!.view.ended) return undefined;
    const [live] = past.splice(at, 1);
    live!.endedAt = undefined;
    return live;
  }

  const untilOf = (live: Live): number => (live.endedAt ??= ctx.now()) + UNSEEN_MS;

  function open(slot: Slot, live: Live): void {
    if (slot.live === undefined) slot.live = live;
    else extras.set(live.ref, { slot, live, asked: undefined, restUntil: 0 });
  }

  /** A change that the process before had sent may arrive after the start. */
  function update({ live, request }: Slot, { price, size }: OwnOrder): void {
    if (live?.isFound !== true || request !== undefined) return;
    live.price = price ?? live.price;
    live.size = size;
  }

  /** Rounded to the venue's grid; undefined if nothing of it can rest. */
  function valid(order: WantedOrder): WantedOrder | undefined {
    instrument ??= ctx.instrument(symbol);
    requireNumber(order, 'size');
    requireNumber(order, 'price');
    // A bound may leave nothing of the order.
    if (order.size <= 0) return undefined;
    const price = instrument.roundPrice(order.price, order.side === 'buy' ? 'down' : 'up');
    const size = instrument.roundSize(order.size * (1 + ROUNDING));
    const least = instrument.min_order_value;
    if (price > 0 && isWithin(least, size * price)) return { ...order, price, size };
    // What fills and changes of size leave over is too small now and then, and nobody can do anything about it.
    const { asked = order.size } = order;
    const worth = instrument.roundSize(asked * (1 + ROUNDING)) * price;
    if (price <= 0 || !isWithin(least, worth)) reportOnce(order, least);
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
    const size = instrument!.roundSize((filled + rest) * (1 + ROUNDING));
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

  function next(slot: Slot, order: WantedOrder | undefined): Intent | undefined {
    const { live, request } = slot;
    if (isResting(slot, order)) return undefined;
    if (live === undefined)
      return order === undefined || order.isHeldBack === true ? undefined : place(slot, order);
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

  /** The journal has this decision under the ref of an earlier process, which finds its order if it has one. */
  function isPlacedBefore({ live }: Slot, { kind, ref }: Request, state: OutcomeState): boolean {
    if (kind !== 'place' || state !== 'duplicate' || live?.ref !== ref) return false;
    return live.view.state === 'duplicate' && live.view.order === null && !live.view.ended;
  }

  function settle(slot: Slot, request: Request, state: OutcomeState): void {
    request.isWaiting = request.isWaiting && state !== 'sending' && state !== 'unknown';
    const isRefused = REFUSED.includes(state);
    if (!isRefused && !DONE.includes(state)) return;
    slot.request = undefined;
    if (isPlacedBefore(slot, request, state)) {
      slot.live = undefined;
      return rest(slot, request, state);
    }
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
      hasStarted = true;
      const bySlot = new Map<string, WantedOrder | undefined>();
      for (const order of wanted) bySlot.set(order.slot, valid(order));
      for (const slot of slots.values())
        if (!bySlot.has(slot.name)) bySlot.set(slot.name, undefined);
      const intents = cancelExtras();
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
      else followExtra(ref, state);
    },
    find(order, event) {
      const { ref } = order;
      if (ref === undefined || !ref.startsWith(prefix) || event === 'gone') return false;
      const slot = slotOf(slotNameOf(ref));
      if (slot.live?.ref === ref) {
        if (!ENDED_ORDERS.includes(order.status)) update(slot, order);
        return false;
      }
      if (extras.has(ref) || over.has(ref)) return false;
      clear(slot);
      if (slot.past.some((live) => live.ref === ref)) {
        const live = reviveOf(slot, ref);
        if (live !== undefined) open(slot, live);
        return false;
      }
      const live = foundOf({ ...order, ref }, event);
      // It may have been placed and filled before anything of it was shown.
      if (live.view.ended || ENDED_ORDERS.includes(order.status)) {
        retire(slot, live);
        return false;
      }
      open(slot, live);
      return true;
    },
    isLate(ref) {
      if (ref === undefined || !ref.startsWith(prefix)) return false;
      return slots.get(slotNameOf(ref))?.past.some((live) => live.ref === ref) === true;
    },
    resting(name) {
      const slot = slots.get(name);
      let sum = slot?.live?.view.remaining ?? 0;
      for (const extra of extras.values())
        if (extra.slot === slot && !extra.live.view.ended) sum += extra.live.view.remaining;
      return sum;
    },
    unseenUntil(name) {
      const slot = slots.get(name);
      if (slot === undefined) return undefined;
      let until = 0;
      for (const live of slot.past) if (isGone(live.view)) until = untilOf(live);
      if (slot.live !== undefined && isGone(slot.live.view)) until = untilOf(slot.live);
      return until > ctx.now() ? until : undefined;
    },
    fills(name) {
      const fills = { bought: 0, sold: 0 };
      const slot = slots.get(name);
      if (slot !== undefined) addAll(fills, slot);
      return fills;
    },
    total() {
      const sum = { bought: 0, sold: 0 };
      for (const slot of slots.values()) addAll(sum, slot);
      return sum;
    },
    retryTime() {
      const times = [...slots.values(), ...extras.values()].map(({ restUntil }) => restUntil);
      const next = Math.min(...times.filter((time) => time > ctx.now()));
      return Number.isFinite(next) ? next : undefined;
    },
  };
}

/** It ended without its end being shown, and what of it had filled by then was not shown either. */
const isGone = ({ ended, order, remaining }: RefView): boolean =>
  ended && order != null && !ENDED_ORDERS.includes(order.status) && remaining > 0;

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
