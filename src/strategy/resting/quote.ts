import { requireText } from '../../contract/failures/requireFields.ts';
import type { OperatorFunction } from 'rxjs';
import { withCode } from '../../contract/index.ts';
import type { Intent } from '../../intents/index.ts';
import { createHeld } from '../createHeld.ts';
import type { RestingContext, WantedOrder } from './Slot.ts';
import { restingOperator, type RestingPlan } from './restingOperator.ts';
import { restingSettings } from './restingSettings.ts';
import type { RestingOptions } from './RestingOrder.ts';

/** A market maker's two orders. */
export interface Quote {
  /** Quote units; null for no order on that side. */
  bid: number | null;
  ask: number | null;
  /** Base units, a side. */
  size: number;
  /** In the place of `size`, for one side. */
  bid_size?: number;
  ask_size?: number;
  /**
   * The most that may be held either way, base units: what is held and what rests never add up to more, whatever of it
   * fills. On spot nothing is sold that is not held.
   */
  max_position: number;
}

/**
 * Keeps a bid and an ask in step with a stream of quotes: places, moves, tops up and withdraws them, with the fewest
 * requests, and never beyond `max_position`. null withdraws both.
 *
 * ```ts
 * ctx.price(ctx.symbol).pipe(
 *   map(({ bid, ask }) => ({ bid: bid * 0.999, ask: ask * 1.001, size: 0.01, max_position: 0.05 })),
 *   quote(ctx, ctx.symbol, { tolerance_bps: 2 }),
 * );
 * ```
 *
 * A `max_position` that is not above 0 ends the strategy.
 *
 * @throws RangeError for an option out of its range
 */
export function quote(
  ctx: RestingContext,
  symbol: string,
  options: RestingOptions = {},
): OperatorFunction<Quote | null, Intent> {
  requireText('quote', 'symbol', symbol);
  const settings = restingSettings('quote', options);
  const isSpot = symbol.includes('/');
  return restingOperator(ctx, symbol, settings, () => {
    const held = createHeld(ctx);
    return {
      onPosition: ({ slots, position }) => held.onPosition(position, slots.total()),
      wanted(target, { slots, position }) {
        if (target === null) return [];
        const { long, short } = held.bounds(position, slots.total());
        const { bid, ask, size, bid_size = size, ask_size = size } = target;
        const most = bound(target);
        const least = isSpot ? 0 : -most;
        // What is held may leave too little of a size, which is no news; a bound that is too small from the start is.
        const orders: WantedOrder[] = [];
        if (bid !== null)
          orders.push({
            slot: 'bid',
            side: 'buy',
            price: bid,
            size: Math.min(bid_size, most - long),
            asked: Math.min(bid_size, most),
          });
        if (ask !== null)
          orders.push({
            slot: 'ask',
            side: 'sell',
            price: ask,
            size: Math.min(ask_size, short - least),
            asked: Math.min(ask_size, most),
          });
        return orders;
      },
    } satisfies RestingPlan<Quote | null>;
  });
}

function bound({ max_position: most }: Quote): number {
  if (most > 0) return most;
  throw withCode(
    'TRIMTAB_INDICATOR_PARAMETER',
    new RangeError(`quote: max_position must be above 0, and it is ${most}.`),
  );
}
