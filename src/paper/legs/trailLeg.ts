import { compareMove } from '../../contract/bounds.ts';
import { LIMITS, minMoveOf, type LegKind } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { ReadResult } from '../market/IndicatorReads.ts';
import type { Account } from '../venue/Account.ts';
import type { Leg } from './Leg.ts';
import { watchTrigger } from './lifecycle.ts';
import { publishLeg } from './publishLeg.ts';
import { directionOf, trailTarget } from './resolveLeg.ts';

/**
 * A bar of the trail's interval closed: the trigger follows that close, only ever tighter, and only
 * when it moves by `min_move_bps` at least (LEG-4, LEG-5).
 */
export function trailLeg(engine: EngineState, _account: Account, leg: Leg): void {
  if (leg.spec.trail === undefined || leg.record.status !== 'armed') return;
  const target = targetOf(engine, leg);
  const { resolution } = leg.record;
  if (target === null || resolution === null) return;
  const { trigger } = target;
  if (!isMoved(engine, leg, resolution.trigger_price, trigger)) return;
  resolution.trigger_price = trigger;
  resolution.indicator_value = target.read?.indicator_value ?? null;
  resolution.bar_time = target.read?.bar_time ?? null;
  watchTrigger(engine, leg);
  publishLeg(engine, leg, 'trail_moved');
}

/** Where a trail would be after the bar that closed; null while its indicator has no value, or none that is a price. */
export function targetOf(
  engine: EngineState,
  leg: Leg,
): { read: ReadResult | null; trigger: number } | null {
  const trail = leg.spec.trail!;
  const { symbol, kind, resolution } = leg.record;
  const bars = engine.market.closedBars(symbol, trail.interval);
  const close = bars.close[bars.length - 1]!;
  const { anchor, anchor_price: anchorPrice } = resolution!;
  const { positionSide } = leg;
  try {
    return trailTarget(engine, { symbol, kind, positionSide, anchor, anchorPrice }, trail, close);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/** Whether a trail of this kind and side moves from one trigger to another (LEG-4, LEG-5). */
export function isMoved(engine: EngineState, leg: Leg, from: number, to: number): boolean {
  return isTighter(engine, leg, from, to) && compareMove(from, to, leastMoveOf(leg)) >= 0;
}

/** Moves below this distance are not made, basis points. */
export const leastMoveOf = ({ spec }: Leg): number => minMoveOf(spec) ?? LIMITS.defaultMinMoveBps;

/** A stop tightens away from loss, a take-profit towards the price, but never past the mark. */
function isTighter(engine: EngineState, leg: Leg, from: number, to: number): boolean {
  const { symbol, kind } = leg.record;
  const direction = directionOf({ kind, positionSide: leg.positionSide });
  const isCloser = direction * (to - from) < 0;
  if (kind === ('stop_loss' satisfies LegKind)) return isCloser;
  return isCloser && direction * (to - engine.market.mark(symbol)) > 0;
}
