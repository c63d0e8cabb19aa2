import { PASSED, type Guard, type GuardSnapshot, type GuardVerdict } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/**
 * No entries until 00:00 UTC once the wallet has lost this much within the day, whatever it regains. What was deposited or
 * withdrawn is no part of it, as far as the service's figures tell (DECISIONS.md 184).
 */
export function dailyLoss(limits: GuardLimits): Guard {
  const evaluate = walletLoss(limits);
  return (intent, snapshot) => (intent.entries.length === 0 ? PASSED : evaluate(snapshot));
}

/** The same of a wallet, whatever the entry. */
export function walletLoss({ daily_loss_limit: limit }: GuardLimits) {
  return (snapshot: Pick<GuardSnapshot, 'dayLoss' | 'dayLimitReached'>): GuardVerdict => {
    const { dayLoss, dayLimitReached = 0 } = snapshot;
    const value = Math.max(dayLoss, dayLimitReached);
    if (limit === undefined || value < limit) return PASSED;
    const since = dayLoss < limit ? ` (${dayLoss.toFixed(2)} by now)` : '';
    const reason =
      `the wallet lost ${value.toFixed(2)} today${since}, the limit is ${limit}: ` +
      'until 00:00 UTC only what reduces passes';
    return { passed: false, guard: 'daily_loss', reason, limit, value };
  };
}
