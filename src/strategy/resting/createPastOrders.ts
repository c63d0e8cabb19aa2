import type { Turnover } from '../createHeld.ts';
import type { RefView } from '../refs/createByRef.ts';
import { ENDED_ORDERS } from '../../contract/index.ts';
import type { Live, RestingContext, Slot } from './Slot.ts';

/** Fills of an outage are read, and read once more 35 seconds later, since a list may lack the last ones. */
const UNSEEN_MS = 60_000;
/** Ended orders of a slot whose fills may still be shown. */
const MOST_PAST = 4;
/** Refs of orders before those, by which a state that is shown again is recognised. */
const MOST_OVER = 1_000;

export type PastOrders = ReturnType<typeof createPastOrders>;

/** The orders of slots that have ended: their fills may be shown later than their ends, and count all the same. */
export function createPastOrders(ctx: Pick<RestingContext, 'now'>) {
  /** Orders whose fills are in their slot's sums. */
  const over = new Set<string>();

  function conclude(sums: Turnover, live: Live): void {
    addFilled(sums, live);
    over.add(live.ref);
    if (over.size > MOST_OVER) over.delete(over.values().next().value!);
  }

  const untilOf = (live: Live): number => (live.endedAt ??= ctx.now()) + UNSEEN_MS;

  return {
    retire(slot: Slot, live: Live): void {
      live.endedAt ??= ctx.now();
      slot.past.push(live);
      if (slot.past.length <= MOST_PAST) return;
      conclude(slot, slot.past.shift()!);
    },
    /** Whether nothing of a slot's orders is to be expected any more. */
    areOver: ({ past }: Slot): boolean =>
      past.every((live) => untilOf(live) <= ctx.now() && !isGone(live.view)),
    /** What a slot has filled goes to these sums for good. */
    forget({ past, bought, sold }: Slot, sums: Turnover): void {
      sums.bought += bought;
      sums.sold += sold;
      for (const live of past) conclude(sums, live);
    },
    /** Whether an order's fills are in its slot's sums for good. */
    isOver: (ref: string): boolean => over.has(ref),
    holds: ({ past }: Slot, ref: string): boolean => past.some((live) => live.ref === ref),
    /** Takes back an order that was missing in a snapshot and is shown again. */
    revive({ past }: Slot, ref: string): Live | undefined {
      const at = past.findIndex((live) => live.ref === ref);
      if (at < 0 || past[at]!.view.ended) return undefined;
      const [live] = past.splice(at, 1);
      live!.endedAt = undefined;
      return live;
    },
    /** Market time until which fills of a slot's orders may be shown that went unseen. */
    unseenUntil({ past, live }: Slot): number | undefined {
      let until = 0;
      for (const one of past) if (isGone(one.view)) until = untilOf(one);
      if (live !== undefined && isGone(live.view)) until = untilOf(live);
      return until > ctx.now() ? until : undefined;
    },
    /** What a slot's orders have filled, but for its extras. */
    addAll(fills: Turnover, slot: Slot): void {
      fills.bought += slot.bought;
      fills.sold += slot.sold;
      for (const live of slot.past) addFilled(fills, live);
      if (slot.live !== undefined) addFilled(fills, slot.live);
    },
  };
}

export function addFilled(fills: Turnover, live: Live): void {
  live.filled = Math.max(live.filled, live.view.filled);
  const filled = live.filled - live.before;
  if (live.side === 'buy') fills.bought += filled;
  else fills.sold += filled;
}

/** It ended without its end being shown, and what of it had filled by then was not shown either. */
const isGone = ({ ended, order, remaining }: RefView): boolean =>
  ended && order != null && !ENDED_ORDERS.includes(order.status) && remaining > 0;
