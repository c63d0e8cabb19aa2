import { PASSED, type Guard, type GuardSnapshot, type GuardVerdict } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/**
 * No entry in a wallet while one of its positions has been without an acknowledged exit for longer: existing
 * positions are covered before new ones open. What has no entries (exits, legs, cancels) passes.
 */
export function maxUncoveredSeconds(limits: GuardLimits): Guard {
  const evaluate = walletCover(limits);
  return (intent, snapshot) => (intent.entries.length === 0 ? PASSED : evaluate(snapshot));
}

/** The same of a wallet, whatever the entry. */
export function walletCover({ max_uncovered_seconds: limit }: GuardLimits) {
  return (snapshot: Pick<GuardSnapshot, 'now' | 'uncovered'>): GuardVerdict => {
    if (limit === undefined) return PASSED;
    for (const { symbol, since } of snapshot.uncovered()) {
      const value = (snapshot.now - since) / 1_000;
      if (value <= limit) continue;
      const reason = `${symbol} has been uncovered for ${Math.floor(value)} s, the limit is ${limit}`;
      return { passed: false, guard: 'max_uncovered_seconds', reason, limit, value };
    }
    return PASSED;
  };
}
