import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from '../venue/Account.ts';
import { reducible } from '../venue/fillable.ts';
import { exitSide, isLive } from './Leg.ts';
import { armLeg } from './lifecycle.ts';

/**
 * A compiled leg whose monitor is rearmed by hand is attached to its position again, as it was frozen at
 * attach (POS-5): it is listed there and ends with the position (conventions, Legs). Otherwise it would
 * wait, unlisted, for a position that was opened later. Throws `no_position` if there is nothing on its
 * side that it could close, `not_found` if the leg's record is gone.
 */
export function rearmLeg(engine: EngineState, account: Account, legId: string): void {
  const leg = account.legs.get(legId);
  if (leg === undefined) throw new ServiceError('not_found', { details: { id: legId } });
  const { symbol } = leg.record;
  if (reducible(account, { symbol, side: exitSide(leg.positionSide) }) <= 0) {
    throw new ServiceError('no_position', { asPrecondition: true, details: { symbol } });
  }
  if (isLive(leg)) return;
  armLeg(engine, leg);
  // Live legs keep the order in which they came. A restore reads that order from the rows.
  account.liveLegs.clear();
  for (const [id, each] of account.legs.entries()) if (isLive(each)) account.liveLegs.set(id, each);
}
