import { enlarging } from './enlarging.ts';
import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';
import { exposureOf } from './exposureOf.ts';

/** Notional of a symbol with everything pending. */
export function maxPositionNotional(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.max_position_notional;
    if (limit === undefined) return PASSED;
    for (const { symbol } of enlarging(intent.entries)) {
      const value = exposureOf(symbol, intent.entries, snapshot);
      if (value <= limit) continue;
      const reason = `${symbol} would reach a notional of ${value.toFixed(2)}, above ${limit}`;
      return { passed: false, guard: 'max_position_notional', reason, limit, value };
    }
    return PASSED;
  };
}
