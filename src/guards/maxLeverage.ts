import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/** Leverage that an intent sets. */
export function maxLeverage(limits: GuardLimits): Guard {
  return (intent) => {
    const limit = limits.max_leverage;
    const value = intent.leverage;
    if (limit === undefined || value === undefined || value <= limit) return PASSED;
    const reason = `leverage ${value} is above ${limit}`;
    return { passed: false, guard: 'max_leverage', reason, limit, value };
  };
}
