/**
 * Resting orders by slot: what is wanted → intents, what became of them → what rests.
 *
 * A slot has one order and one request at a time. What is wanted meanwhile waits, and only the last of it is sent. An
 * order whose answer is missing counts as resting until the service shows otherwise, so that none is placed twice.
 */
import type { Intent } from '../../intents/index.ts';
import type { Turnover } from '../createHeld.ts';
import type { Outcome, OutcomeState } from '../Outcome.ts';
import type { OwnOrder, OwnOrderEvent } from '../OwnEvents.ts';
import { ENDED_ORDERS } from '../../contract/index.ts';
import { createExtras } from './createExtras.ts';
import { createPastOrders } from './createPastOrders.ts';
import { createSlotIntents } from './createSlotIntents.ts';
import { createValidOrders } from './createValidOrders.ts';
import type { RestingOptions } from './RestingOrder.ts';
import { requireName } from './requireName.ts';
import {
  emptySlot,
  noWait,
  REFUSED,
  type Live,
  type Purpose,
  type Request,
  type RestingContext,
  type Slot,
  type Wait,
  type WantedOrder,
} from './Slot.ts';

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
  /** What was filled in a slot: by orders of this process, and by found ones since the start. */
  fills(slot: string): Turnover;
  /** Filled over all slots. */
  total(): Turnover;
  /** Market time at which a refused order may be tried again; undefined if none waits. */
  retryTime(): number | undefined;
}

type Priced = Pick<WantedOrder, 'side' | 'price'>;

const waitsOf = ({ waits }: Slot): Wait[] => Object.values(waits);

const DONE: readonly OutcomeState[] = ['accepted', 'duplicate'];
/** The wait after refusals in a row is doubled at most this often. */
const MOST_DOUBLINGS = 6;

export function createSlots(
  ctx: RestingContext,
  symbol: string,
  options: Required<RestingOptions>,
): OrderSlots {
  const { name, retry_ms: retryMs } = options;
  const prefix = `${requireName('name', name)}:${symbol.replaceAll(/[^\w.-]/g, '_')}:`;
  const slots = new Map<string, Slot>();
  /** Filled by slots that are forgotten: names may be prices, most of them used once. */
  const forgotten: Turnover = { bought: 0, sold: 0 };
  /** Something was proposed, or could have been: what the position is worked out from is older than what comes now. */
  let hasStarted = false;
  let count = 0;
  /** Unique across restarts: two processes never place at the same time. */
  const newRef = (slot: string): string => `${prefix}${slot}:${ctx.now()}.${++count}`;
  const past = createPastOrders(ctx);
  const extras = createExtras({ ctx, past, newRef, retryMs });
  const valid = createValidOrders({ ctx, symbol, name });
  const { place, cancel, changeOf, modify } = createSlotIntents({
    ctx,
    symbol,
    given: options,
    newRef,
  });

  function slotOf(name: string): Slot {
    let slot = slots.get(name);
    if (slot === undefined) {
      requireName('slot', name);
      slot = emptySlot(name);
      slots.set(name, slot);
    }
    return slot;
  }

  const slotNameOf = (ref: string): string => ref.slice(prefix.length, ref.lastIndexOf(':'));

  /** Makes room for the next order once the one of the slot has ended. */
  function clear(slot: Slot): void {
    const { live, request } = slot;
    if (live === undefined || !live.view.ended) return;
    const { state } = live.view;
    past.retire(slot, live);
    slot.live = undefined;
    slot.request = undefined;
    // They waited because of this order.
    Object.assign(slot.waits.withdrawal, noWait());
    Object.assign(slot.waits.reduction, noWait());
    // The view knows of a refusal before its outcome is delivered.
    if (request?.ref === live.ref && state !== undefined && REFUSED.includes(state))
      rest(slot, request, state);
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

  function open(slot: Slot, live: Live): void {
    if (slot.live === undefined) slot.live = live;
    else extras.add(slot, live);
  }

  /** A change that the process before had sent may arrive after the start. */
  function update({ live }: Slot, { price, size }: OwnOrder): void {
    if (live?.isFound !== true) return;
    live.price = price ?? live.price;
    live.size = size;
  }

  function next(slot: Slot, order: WantedOrder | undefined): Intent | undefined {
    const { live, request } = slot;
    if (live === undefined) {
      const isPlaced = order !== undefined && order.isHeldBack !== true;
      return isPlaced && !isResting(slot, 'entry', order) ? place(slot, order) : undefined;
    }
    // A later change replaces one that is still in the queue; no other request is replaced there.
    if (request !== undefined && !(request.kind === 'modify' && request.isWaiting))
      return undefined;
    if (order === undefined || order.side !== live.side)
      return isResting(slot, 'withdrawal', live) ? undefined : cancel(slot, live);
    const change = changeOf(slot, live, order);
    if (change === undefined) return undefined;
    if (!isResting(slot, change.purpose, change)) return modify(slot, live, change);
    // What is too much of it is taken away meanwhile, at the price at which it rests.
    const { price } = request ?? live;
    const less = changeOf(slot, live, { ...order, price, isHeldBack: true });
    if (less === undefined || isResting(slot, less.purpose, less)) return undefined;
    return modify(slot, live, less);
  }

  function isResting({ waits }: Slot, purpose: Purpose, { side, price }: Priced): boolean {
    const wait = waits[purpose];
    if (ctx.now() >= wait.until) return false;
    return side === wait.side && (wait.price === undefined || price === wait.price);
  }

  /** Only a refusal by the service may depend on the price; a guard's or the budget's does not. */
  function rest(slot: Slot, { purpose, side, price }: Request, state: OutcomeState): void {
    const wait = slot.waits[purpose];
    wait.until = ctx.now() + retryMs * 2 ** Math.min(wait.refusals++, MOST_DOUBLINGS);
    wait.side = side;
    wait.price = state === 'rejected' ? price : undefined;
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
    else for (const wait of waitsOf(slot)) wait.refusals = 0;
    if (request.kind === 'modify' && !isRefused && slot.live !== undefined) {
      slot.live.price = request.price;
      slot.live.size = request.size;
    }
    // What can't be cancelled has ended, or is tried again.
    if (request.kind === 'cancel' && !isRefused) slot.request = { ...request, isWaiting: false };
  }

  /** Nothing rests, is on its way or waits, and nothing is to be expected of its orders. */
  function isForgettable(slot: Slot): boolean {
    if (slot.live !== undefined || slot.request !== undefined || slot.isCounted) return false;
    if (waitsOf(slot).some(({ until }) => until > ctx.now())) return false;
    return past.areOver(slot) && !extras.isOf(slot);
  }

  function addAll(fills: Turnover, slot: Slot): void {
    past.addAll(fills, slot);
    extras.addAll(fills, slot);
  }

  return {
    reconcile(wanted) {
      if (ctx.liveness() !== 'live') return [];
      hasStarted = true;
      const bySlot = new Map<string, WantedOrder | undefined>();
      for (const order of wanted) bySlot.set(order.slot, valid(order));
      for (const slot of slots.values())
        if (!bySlot.has(slot.name)) bySlot.set(slot.name, undefined);
      const intents = extras.cancel();
      for (const [name, order] of bySlot) {
        if (order === undefined && !slots.has(requireName('slot', name))) continue;
        const slot = slotOf(name);
        clear(slot);
        const intent = next(slot, order);
        if (intent !== undefined) intents.push(intent);
        if (order !== undefined || !isForgettable(slot)) continue;
        past.forget(slot, forgotten);
        slots.delete(name);
      }
      return intents;
    },
    follow({ intent: { ref }, state }) {
      if (ref === undefined || !ref.startsWith(prefix)) return;
      const slot = slots.get(slotNameOf(ref));
      if (slot?.request?.ref === ref) settle(slot, slot.request, state);
      else extras.follow(ref, state);
    },
    find(order, event) {
      const { ref } = order;
      if (ref === undefined || !ref.startsWith(prefix) || event === 'gone') return false;
      const slot = slotOf(slotNameOf(ref));
      if (slot.live?.ref === ref) {
        if (!ENDED_ORDERS.includes(order.status)) update(slot, order);
        return false;
      }
      if (extras.holds(ref) || past.isOver(ref)) return false;
      clear(slot);
      if (past.holds(slot, ref)) {
        const live = past.revive(slot, ref);
        if (live !== undefined) open(slot, live);
        return false;
      }
      const live = foundOf({ ...order, ref }, event);
      // It may have been placed and filled before anything of it was shown.
      if (live.view.ended || ENDED_ORDERS.includes(order.status)) {
        past.retire(slot, live);
        return false;
      }
      open(slot, live);
      return true;
    },
    isLate(ref) {
      if (ref === undefined || !ref.startsWith(prefix)) return false;
      const slot = slots.get(slotNameOf(ref));
      return slot !== undefined && past.holds(slot, ref);
    },
    resting(name) {
      const slot = slots.get(name);
      return (slot?.live?.view.remaining ?? 0) + extras.resting(slot);
    },
    unseenUntil(name) {
      const slot = slots.get(name);
      return slot === undefined ? undefined : past.unseenUntil(slot);
    },
    fills(name) {
      const fills = { bought: 0, sold: 0 };
      const slot = slots.get(name);
      if (slot === undefined) return fills;
      slot.isCounted = true;
      addAll(fills, slot);
      return fills;
    },
    total() {
      const sum = { ...forgotten };
      for (const slot of slots.values()) addAll(sum, slot);
      return sum;
    },
    retryTime() {
      const times = [
        ...[...slots.values()].flatMap(waitsOf).map(({ until }) => until),
        ...extras.restTimes(),
      ];
      const next = Math.min(...times.filter((time) => time > ctx.now()));
      return Number.isFinite(next) ? next : undefined;
    },
  };
}
