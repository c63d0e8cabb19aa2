import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/** No entries until 00:00 UTC once the wallet has lost this much within the day, whatever it regains. */
export function dailyLoss(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.daily_loss_limit;
    const { dayLoss, dayLimitReached = 0 } = snapshot;
    const value = Math.max(dayLoss, dayLimitReached);
    if (limit === undefined || intent.entries.length === 0 || value < limit) return PASSED;
    const since = dayLoss < limit ? ` (${dayLoss.toFixed(2)} by now)` : '';
    const reason =
      `the wallet lost ${value.toFixed(2)} today${since}, the limit is ${limit}: ` +
      'until 00:00 UTC only what reduces passes';
    return { passed: false, guard: 'daily_loss', reason, limit, value };
  };
}
