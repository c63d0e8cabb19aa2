import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/** Size of one entry, base units; of an order that is enlarged, all of it. */
export function maxOrderSize(limits: GuardLimits): Guard {
  return (intent) => {
    for (const entry of intent.entries) {
      const { symbol, orderSize: size = entry.size } = entry;
      const limit = limits.max_order_size?.[symbol];
      if (limit === undefined || size <= limit) continue;
      const reason = `size ${size} ${symbol} is above ${limit}`;
      return { passed: false, guard: 'max_order_size', reason, limit, value: size };
    }
    return PASSED;
  };
}
