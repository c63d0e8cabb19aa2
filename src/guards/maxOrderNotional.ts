import { isWithin } from '../contract/bounds.ts';
import { enlarging } from './enlarging.ts';
import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';
import { priceOf } from './priceOf.ts';

/**
 * Notional of one entry; of an order that is enlarged, the whole order's. Valued at the highest of its own price, the
 * price for which it waits and the last one.
 */
export function maxOrderNotional(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.max_order_notional;
    if (limit === undefined) return PASSED;
    for (const entry of enlarging(intent.entries)) {
      const { orderSize: size = entry.size, price = 0, triggeredAt } = entry;
      const last = priceOf(entry.symbol, snapshot);
      const value = size * Math.max(last, price, triggeredAt ?? 0);
      if (isWithin(value, limit)) continue;
      const reason = `the notional of ${entry.symbol} is ${value.toFixed(2)}, above ${limit}`;
      return { passed: false, guard: 'max_order_notional', reason, limit, value };
    }
    return PASSED;
  };
}
