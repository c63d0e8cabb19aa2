import { cancelOrder, type Intent } from '../../intents/index.ts';
import type { Turnover } from '../createHeld.ts';
import type { OutcomeState } from '../Outcome.ts';
import { addFilled, type PastOrders } from './createPastOrders.ts';
import { REFUSED, type Live, type RestingContext, type Slot } from './Slot.ts';

/** An order beyond the one of its slot; it is cancelled. */
interface Extra {
  readonly slot: Slot;
  readonly live: Live;
  /** Ref of the cancel on its way or accepted. */
  asked: string | undefined;
  restUntil: number;
}

export interface ExtrasOptions {
  ctx: Pick<RestingContext, 'now'>;
  past: PastOrders;
  /** A new ref under this name. */
  newRef(name: string): string;
  /** Wait after a refused cancel, milliseconds of market time. */
  retryMs: number;
}

/**
 * Orders beyond the one of their slot, as a process before may leave them. What is left of a cancelled order may
 * fill until the cancel arrives, so it is counted until it has ended.
 */
export function createExtras({ ctx, past, newRef, retryMs }: ExtrasOptions) {
  const extras = new Map<string, Extra>();

  function clear(): void {
    for (const [ref, { slot, live }] of extras) {
      if (!live.view.ended) continue;
      extras.delete(ref);
      past.retire(slot, live);
    }
  }

  return {
    add(slot: Slot, live: Live): void {
      extras.set(live.ref, { slot, live, asked: undefined, restUntil: 0 });
    },
    holds: (ref: string): boolean => extras.has(ref),
    /** Cancels of those for which none is on its way. */
    cancel(): Intent[] {
      clear();
      const intents: Intent[] = [];
      for (const [ref, extra] of extras) {
        if (extra.asked !== undefined || ctx.now() < extra.restUntil) continue;
        extra.asked = newRef('extra');
        intents.push(cancelOrder({ ref }, { ref: extra.asked }));
      }
      return intents;
    },
    follow(ref: string, state: OutcomeState): void {
      for (const extra of extras.values()) {
        if (extra.asked !== ref || !REFUSED.includes(state)) continue;
        extra.asked = undefined;
        extra.restUntil = ctx.now() + retryMs;
      }
    },
    addAll(fills: Turnover, slot: Slot): void {
      for (const extra of extras.values()) if (extra.slot === slot) addFilled(fills, extra.live);
    },
    /** Whether a slot has any. */
    isOf: (slot: Slot): boolean => [...extras.values()].some((extra) => extra.slot === slot),
    /** What rests of them in a slot, base units. */
    resting(slot: Slot | undefined): number {
      let sum = 0;
      for (const extra of extras.values())
        if (extra.slot === slot && !extra.live.view.ended) sum += extra.live.view.remaining;
      return sum;
    },
    restTimes: (): number[] => [...extras.values()].map(({ restUntil }) => restUntil),
  };
}
