import { requireText } from '../../contract/failures/requireFields.ts';
import type { OperatorFunction } from 'rxjs';
import type { Intent } from '../../intents/index.ts';
import { buyOf, createLevelHoldings, sellOf } from './createLevelHoldings.ts';
import type { RestingContext, WantedOrder } from './Slot.ts';
import { restingOperator, type RestingPlan } from './restingOperator.ts';
import { restingSettings } from './restingSettings.ts';
import type { RestingOptions } from './RestingOrder.ts';

/** A cell of a grid: it buys at one price and sells at a higher one, again and again. */
export interface GridLevel {
  /** Quote units. */
  buy: number;
  sell: number;
  /** The most that the cell holds, base units. */
  size: number;
}

/**
 * Keeps a grid of resting orders in step with a stream of its levels. Each level buys at `buy` what it does not hold,
 * and sells at `sell` what it holds, partial fills included; a level's place in the list is its identity. All levels
 * together never hold more than the sum of their sizes. A level above the market waits until the price is above it;
 * with `post_only: false` it buys at once.
 *
 * After a restart a level's holding follows from its open orders, and from what they filled since; what of the position
 * they don't show is given to the levels from the first on. All sales together never offer more than the position: what
 * was sold elsewhere is missing from the last levels on. A level that is left out sells nothing any more: its orders are
 * cancelled.
 *
 * ```ts
 * const levels = [99, 98, 97].map((buy) => ({ buy, sell: buy * 1.01, size: 1 }));
 * return of(levels).pipe(grid(ctx, ctx.symbol));
 * ```
 *
 * @throws RangeError for an option out of its range
 */
export function grid(
  ctx: RestingContext,
  symbol: string,
  options: RestingOptions = {},
): OperatorFunction<readonly GridLevel[], Intent> {
  requireText('grid', 'symbol', symbol);
  const settings = restingSettings('grid', options);
  const isSpot = symbol.includes('/');
  return restingOperator(ctx, symbol, settings, () => {
    const holdings = createLevelHoldings(ctx, symbol);
    /** When the next level that waits for the fills of an outage goes on. */
    let unseenUntil = Infinity;
    return {
      onPosition: (state) => holdings.onPosition(state),
      onOutcome: (outcome) => holdings.onOutcome(outcome),
      wanted(levels, { slots, position }) {
        unseenUntil = Infinity;
        const held = holdings.of(levels, { slots, position });
        if (held === undefined) return undefined;
        const { holds, isLess } = held;
        const orders = levels.flatMap((level, at) => ordersOf(level, { at, holds: holds[at]! }));
        return orders.map((order) => {
          const { slot, side } = order;
          const until = slots.unseenUntil(slot) ?? Infinity;
          unseenUntil = Math.min(unseenUntil, until);
          const isHeldBack = until < Infinity || (isLess && side === 'sell');
          return { ...order, isHeldBack };
        });
      },
      wakeTime: () => Math.min(holdings.wakeTime() ?? Infinity, unseenUntil),
    } satisfies RestingPlan<readonly GridLevel[]>;
  });

  /**
   * A sale of perps only reduces: a holding that was estimated too high after a restart must not become a short. It
   * trades at once where the market is above its price already: what is held must not wait for a price that has passed.
   */
  function ordersOf(
    { buy, sell, size: asked }: GridLevel,
    { at, holds }: { at: number; holds: number },
  ): WantedOrder[] {
    const reduce_only = !isSpot;
    return [
      { slot: buyOf(at), side: 'buy', price: buy, size: asked - holds, asked },
      {
        slot: sellOf(at),
        side: 'sell',
        price: sell,
        size: holds,
        asked,
        reduce_only,
        post_only: false,
      },
    ];
  }
}
