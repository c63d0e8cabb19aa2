import { requireText } from '../../contract/failures/requireFields.ts';
import type { OperatorFunction } from 'rxjs';
import type { Intent } from '../../intents/index.ts';
import type { RestingContext, OrderSlots } from './createSlots.ts';
import { restingOperator, type RestingPlan } from './restingOperator.ts';
import type { RestingOptions, RestingOrder } from './RestingOrder.ts';

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
 * After a restart a level's holding follows from its open orders; what of the position they don't show is given to
 * the levels from the first on. A level that is left out sells nothing any more: its orders are cancelled.
 *
 * ```ts
 * const levels = [99, 98, 97].map((buy) => ({ buy, sell: buy * 1.01, size: 1 }));
 * return of(levels).pipe(grid(ctx, ctx.symbol));
 * ```
 */
export function grid(
  ctx: RestingContext,
  symbol: string,
  options: RestingOptions = {},
): OperatorFunction<readonly GridLevel[], Intent> {
  requireText('grid', 'symbol', symbol);
  const isSpot = symbol.includes('/');
  return restingOperator(ctx, symbol, { name: 'grid', ...options }, () => {
    let given: number[] | undefined;
    return {
      wanted(levels, { slots, position }) {
        given ??= share(levels, slots, position);
        const carried = given;
        return levels.flatMap((level, at) => {
          const holds = held(slots, at) + (carried[at] ?? 0);
          return ordersOf(level, { at, holds, isSpot });
        });
      },
    } satisfies RestingPlan<readonly GridLevel[]>;
  });
}

const buyOf = (at: number): string => `${at}-buy`;
const sellOf = (at: number): string => `${at}-sell`;

/** Bought and not sold by a level since the start. */
const held = (slots: OrderSlots, at: number): number =>
  slots.fills(buyOf(at)).bought - slots.fills(sellOf(at)).sold;

/**
 * A sale of perps only reduces: a holding that was estimated too high after a restart must not become a short. It
 * trades at once where the market is above its price already: what is held must not wait for a price that has passed.
 */
function ordersOf(
  { buy, sell, size }: GridLevel,
  { at, holds, isSpot }: { at: number; holds: number; isSpot: boolean },
): RestingOrder[] {
  const reduce_only = !isSpot;
  return [
    { slot: buyOf(at), side: 'buy', price: buy, size: size - holds },
    { slot: sellOf(at), side: 'sell', price: sell, size: holds, reduce_only, post_only: false },
  ];
}

/** What each level held at the start: what its sell order offers, and of the rest of the position its share. */
function share(levels: readonly GridLevel[], slots: OrderSlots, position: number): number[] {
  const offered = levels.map((_level, at) => slots.resting(sellOf(at)));
  let left = Math.max(0, position) - offered.reduce((sum, size) => sum + size, 0);
  return levels.map(({ size }, at) => {
    // It does not hold yet what it still bids for.
    const room = size - slots.resting(buyOf(at)) - offered[at]!;
    const more = Math.max(0, Math.min(left, room));
    left -= more;
    return offered[at]! + more;
  });
}
