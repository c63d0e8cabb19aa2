import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from '../venue/Account.ts';
import { closeOrder } from '../venue/closeOrder.ts';
import { placeExit } from '../venue/placeExit.ts';
import { reducible } from '../venue/fillable.ts';
import { exitSide, type Leg } from './Leg.ts';
import { endLeg } from './lifecycle.ts';

/**
 * The mark reached the trigger: the leg closes its size, capped at the position, or the whole position if
 * it is coupled to it. The other leg of its pair retires, and what is left of their entry is cancelled: it would fill
 * with no leg to protect it.
 */
export function triggerLeg(engine: EngineState, account: Account, leg: Leg): void {
  leg.watch = null;
  const { symbol, coupled, size: filled } = leg.record;
  const side = exitSide(leg.positionSide);
  const held = reducible(account, { symbol, side });
  const size = coupled ? held : Math.min(filled ?? 0, held);
  if (size <= 0) {
    endLeg(engine, account, leg, 'retired');
    return;
  }
  leg.record.size = size;
  endLeg(engine, account, leg, 'triggered');
  const sibling = leg.siblingId === null ? undefined : account.liveLegs.get(leg.siblingId);
  if (sibling !== undefined) endLeg(engine, account, sibling, 'retired');
  // After its legs, which the order's last frame shows as they ended.
  const entry = leg.orderId === null ? undefined : account.openOrders.get(leg.orderId);
  if (entry !== undefined) closeOrder(engine, account, entry, { reason: 'leg_triggered' });
  placeExit(engine, account, { symbol, side, size, request: null });
}
