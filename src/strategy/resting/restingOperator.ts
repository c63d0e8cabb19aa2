import { Observable, Subscription, type OperatorFunction, type Subscriber } from 'rxjs';
import type { PositionRecord } from '../../contract/index.ts';
import type { Intent } from '../../intents/index.ts';
import type { Outcome } from '../Outcome.ts';
import { createSlots, type OrderSlots } from './createSlots.ts';
import type { RestingOptions } from './RestingOrder.ts';
import type { RestingContext, WantedOrder } from './Slot.ts';

/** What rests and what is held, when a set of orders is worked out. */
export interface RestingState {
  slots: OrderSlots;
  /** Base units, below zero for a short; as the service shows it. */
  position: number;
}

export interface RestingPlan<T> {
  /** The orders that should rest now; undefined if all of them stay as they are. */
  wanted(target: T, state: RestingState): readonly WantedOrder[] | undefined;
  /** Called at each frame of the position, before `wanted`. */
  onPosition?(state: RestingState): void;
  /** Called at each step of the instance's intents, before `wanted`. */
  onOutcome?(outcome: Outcome): void;
  /** Market time at which something else is wanted without any news, after `wanted`; Infinity if there is none. */
  wakeTime?(): number;
}

/**
 * Targets → intents that keep the orders in step: at each target, and at whatever changes of the orders meanwhile.
 * Nothing is proposed before the position is known, nor on events of the past.
 *
 * @param createPlan called once per subscription, so that two never share state
 */
export function restingOperator<T>(
  ctx: RestingContext,
  symbol: string,
  settings: Required<RestingOptions>,
  createPlan: () => RestingPlan<T>,
): OperatorFunction<T, Intent> {
  return (target$) => new Observable((out) => keep(out, target$, createPlan()));

  function keep(
    out: Subscriber<Intent>,
    target$: Observable<T>,
    plan: RestingPlan<T>,
  ): Subscription {
    const slots = createSlots(ctx, symbol, settings);
    const all = new Subscription();
    let target: { value: T } | undefined;
    let position: number | undefined;
    let isStarting = true;
    let retry: { time: number; subscription: Subscription } | undefined;

    function act(): void {
      if (target === undefined || position === undefined || ctx.liveness() !== 'live') return;
      try {
        const wanted = plan.wanted(target.value, { slots, position });
        if (wanted !== undefined) for (const intent of slots.reconcile(wanted)) out.next(intent);
      } catch (fault) {
        // A subscriber that throws ends no stream: the strategy would go on without its orders.
        return out.error(fault);
      }
      tryAgain();
    }

    function tryAgain(): void {
      const time = Math.min(slots.retryTime() ?? Infinity, plan.wakeTime?.() ?? Infinity);
      if (
        time === Infinity ||
        (retry !== undefined && retry.time <= time && retry.time > ctx.now())
      )
        return;
      retry?.subscription.unsubscribe();
      const subscription = ctx.scheduler.schedule(act, time - ctx.now());
      retry = { time, subscription };
      all.add(subscription);
    }

    const error = (fault: unknown): void => out.error(fault);
    // Nothing can be proposed in the turn of setup: what arrives then is handled in the turn of the first event.
    all.add(
      target$.subscribe({
        next(value) {
          target = { value };
          if (!isStarting) act();
        },
        error,
      }),
    );
    all.add(
      ctx.orders$.subscribe({
        next({ event, order }) {
          if (order.symbol !== symbol) return;
          slots.find(order, event);
          act();
        },
        error,
      }),
    );
    all.add(
      ctx.fills$.subscribe({
        next({ ref }) {
          // The others come with their order.
          if (slots.isLate(ref)) act();
        },
        error,
      }),
    );
    all.add(
      ctx.outcomes$.subscribe({
        next(outcome) {
          slots.follow(outcome);
          plan.onOutcome?.(outcome);
          act();
        },
        error,
      }),
    );
    all.add(
      ctx.position(symbol).subscribe({
        next(record) {
          position = signed(record);
          plan.onPosition?.({ slots, position });
          act();
        },
        error,
      }),
    );
    isStarting = false;
    return all;
  }
}

function signed(position: PositionRecord | null): number {
  if (position === null) return 0;
  return position.side === 'short' ? -position.size : position.size;
}
