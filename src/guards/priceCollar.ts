import { compareMove } from '../contract/bounds.ts';
import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/**
 * An entry's own price must be near the last one: it catches a misplaced decimal. A monitor's is measured from the price
 * that triggers it.
 */
export function priceCollar(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.price_collar_bps;
    if (limit === undefined) return PASSED;
    for (const { symbol, price, triggeredAt } of intent.entries) {
      const last = triggeredAt === undefined ? snapshot.market(symbol)?.price : triggeredAt;
      if (price === undefined || last == null) continue;
      if (compareMove(last, price, limit) <= 0) continue;
      const value = (Math.abs(price - last) / last) * 10_000;
      const reason = `price ${price} is ${value.toFixed(0)} bps from ${last}, the limit is ${limit}`;
      return { passed: false, guard: 'price_collar', reason, limit, value };
    }
    return PASSED;
  };
}
