import { compareMove } from '../../contract/bounds.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { canMoveQueuedLegs, moveQueuedLegs } from '../legs/moveQueuedLegs.ts';
import { publishEntry } from '../legs/publishLeg.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from '../venue/Account.ts';
import { canMove } from '../venue/canMove.ts';
import { moveOrder } from '../venue/modifyOrder.ts';
import { crosses } from '../venue/placeOrder.ts';
import type { EntryWatch } from './EntryWatch.ts';
import { endWatch } from './retireWatch.ts';
import { resolveEntry } from './trackEntry.ts';

/** The reaction of an entry that is not an order to a new level: an execution's limit or trigger. */
export interface EntryTarget {
  /** Whether the level must wait: it would act at once (TRK-5), put a leg on the wrong side (LEG-8), or lack the funds. */
  holds(account: Account, watch: EntryWatch, level: number): boolean;
  move(account: Account, watch: EntryWatch, level: number): void;
}

/**
 * A bar of the entry's interval closed: it checks drift (from the first price), hold (it would cross, pass a leg, or lack the
 * funds) and throttle (too small a move), in this order, then moves the entry (TRK-2 to TRK-5).
 */
export function moveEntry(
  engine: EngineState,
  account: Account,
  watch: EntryWatch,
  target: EntryTarget,
): void {
  const level = levelOf(engine, watch);
  if (level === null) return;
  if (compareMove(watch.firstPrice, level, watch.maxDriftBps) > 0) {
    endWatch(engine, account, watch, { status: 'stopped', level });
  } else if (target.holds(account, watch, level)) {
    publishEntry(engine, watch, 'entry_hold', level);
  } else if (level !== watch.price && compareMove(watch.price, level, watch.minMoveBps) >= 0) {
    watch.price = level;
    target.move(account, watch, level);
    publishEntry(engine, watch, 'entry_moved');
  }
}

/** null: the entry stays, as its indicator has no value that is a price. */
function levelOf(engine: EngineState, watch: EntryWatch): number | null {
  try {
    return resolveEntry(engine, watch.symbol, watch.spec, 'price_from').price;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/** A tracked order keeps its identity; only its price moves (ORD-3). */
export function orderTarget(engine: EngineState): EntryTarget {
  return {
    holds(account, { symbol, side, orderId, price }, level) {
      if (crosses(engine, symbol, side, level)) return true;
      const order = account.openOrders.get(orderId!);
      if (order === undefined || level === price) return false;
      const isPossible = canMoveQueuedLegs(engine, account, order, level);
      return !isPossible || !canMove(engine, account, order, level);
    },
    move(account, watch, level) {
      const order = account.openOrders.get(watch.orderId!);
      if (order === undefined) return;
      moveQueuedLegs(engine, account, order, level);
      moveOrder(engine, account, order, level);
    },
  };
}
