import { compareMove } from '../contract/bounds.ts';
import { PASSED, type Entry, type Guard, type GuardSnapshot, type GuardVerdict } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/**
 * The outermost price at which an entry may trade must be near the last one: it catches a misplaced decimal. What waits
 * for a price is measured from that.
 */
export function priceCollar(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.price_collar_bps;
    if (limit === undefined) return PASSED;
    for (const entry of intent.entries) {
      const verdict = reachesTooFar(entry, limit) ?? isTooFar(entry, snapshot, limit);
      if (verdict !== undefined) return verdict;
    }
    return PASSED;
  };
}

const denied = (reason: string, limit: number, value: number): GuardVerdict => ({
  passed: false,
  guard: 'price_collar',
  reason: `${reason}, the limit is ${limit}`,
  limit,
  value,
});

/** A bound that follows its trigger is as far from it as it says. */
function reachesTooFar({ reachBps: value = 0 }: Entry, limit: number): GuardVerdict | undefined {
  if (value <= limit) return undefined;
  return denied(`it may trade ${value} bps beyond its trigger`, limit, value);
}

function isTooFar(
  { symbol, price, triggeredAt }: Entry,
  snapshot: GuardSnapshot,
  limit: number,
): GuardVerdict | undefined {
  const last = triggeredAt === undefined ? snapshot.market(symbol)?.price : triggeredAt;
  if (price === undefined || last == null) return undefined;
  if (compareMove(last, price, limit) <= 0) return undefined;
  const value = (Math.abs(price - last) / last) * 10_000;
  return denied(`price ${price} is ${value.toFixed(0)} bps from ${last}`, limit, value);
}
