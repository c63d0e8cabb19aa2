import type { InstrumentView } from '../StrategyContext.ts';
import { checkStep } from './checkPair.ts';
import type { PairTarget } from './Pair.ts';
import type { PlannedLeg } from './planPair.ts';

/** A pair's sizes at the marks at which its target came. */
export interface SizedPair {
  readonly legs: readonly [Omit<PlannedLeg, 'held'>, Omit<PlannedLeg, 'held'>];
  /** The largest step, in the legs' units. */
  readonly most: number;
  /** An imbalance up to this size follows from the venue's grid and minima. */
  readonly slack: number;
}

/** The smallest order must still be possible when the price has fallen since. */
const MARGIN = 1.1;

/** @throws RangeError if a step of `max_naked` is too small for an order */
export function sizePair(
  { value, hedge_ratio }: Required<PairTarget>,
  legs: readonly [{ instrument: InstrumentView }, { instrument: InstrumentView }],
  { prices, max_naked }: { prices: readonly [number, number]; max_naked: number },
): SizedPair {
  const units = [hedge_ratio * prices[0], prices[1]] as const;
  const dustOf = (at: 0 | 1): number => {
    const { size_decimals, min_order_value } = legs[at].instrument;
    return Math.max(10 ** -size_decimals, (MARGIN * min_order_value) / prices[at]);
  };
  const legOf = (at: 0 | 1, worth: number): Omit<PlannedLeg, 'held'> => {
    const { roundSize, size_decimals } = legs[at].instrument;
    const size = roundSize(Math.abs(worth) / units[at]);
    // A reduction may be of any size: flat is wholly flat.
    const dust = size === 0 ? 0.5 * 10 ** -size_decimals : dustOf(at);
    return { target: Math.sign(worth) * size, unit: units[at], dust };
  };
  const least = dustOf(0) * units[0] + dustOf(1) * units[1];
  checkStep(max_naked, least);
  const worth = value * hedge_ratio;
  return { legs: [legOf(0, worth), legOf(1, -worth)], most: max_naked, slack: 2 * least };
}
