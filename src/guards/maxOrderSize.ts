import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/** Size of one entry, base units. */
export function maxOrderSize(limits: GuardLimits): Guard {
  return (intent) => {
    for (const { symbol, size } of intent.entries) {
      const limit = limits.max_order_size?.[symbol];
      if (limit === undefined || size <= limit) continue;
      const reason = `size ${size} ${symbol} is above ${limit}`;
      return { passed: false, guard: 'max_order_size', reason, limit, value: size };
    }
    return PASSED;
  };
}
