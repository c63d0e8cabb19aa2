import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from '../venue/Account.ts';
import type { Order } from '../venue/Order.ts';
import { entryPrice } from '../venue/placeOrder.ts';
import type { Leg, LegResolution } from './Leg.ts';
import { checkSide, resolveLeg } from './resolveLeg.ts';

/**
 * The legs that wait for an order's fill are anchored to its new price (LEG-7). Throws before anything changes if
 * one can't be resolved there, or is on the wrong side (LEG-8).
 */
export function moveQueuedLegs(
  engine: EngineState,
  account: Account,
  order: Order,
  price: number,
): void {
  for (const [leg, resolution] of resolveQueued(engine, account, order, price)) {
    leg.record.resolution = resolution;
  }
}

/** Whether the legs that wait for an order's fill would be valid at another price of it. */
export function canMoveQueuedLegs(
  engine: EngineState,
  account: Account,
  order: Order,
  price: number,
): boolean {
  try {
    resolveQueued(engine, account, order, price);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function resolveQueued(
  engine: EngineState,
  account: Account,
  order: Order,
  price: number,
): Array<[Leg, LegResolution]> {
  const { symbol, side } = order.record;
  const anchorPrice = entryPrice(engine, { symbol, side, price });
  return order.legIds.flatMap((id) => {
    const leg = account.liveLegs.get(id);
    if (leg?.record.status !== 'queued') return [];
    const { kind } = leg.record;
    const { positionSide } = leg;
    const context = { symbol, kind, positionSide, anchor: 'entry', anchorPrice } as const;
    const resolution = resolveLeg(engine, context, leg.spec);
    checkSide(context, resolution);
    return [[leg, resolution]];
  });
}
