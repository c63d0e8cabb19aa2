import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/** No entries once the wallet has lost this much within the UTC day. */
export function dailyLoss(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.daily_loss_limit;
    const value = snapshot.dayLoss;
    if (limit === undefined || intent.entries.length === 0 || value < limit) return PASSED;
    const reason = `the wallet lost ${value.toFixed(2)} today, the limit is ${limit}`;
    return { passed: false, guard: 'daily_loss', reason, limit, value };
  };
}
