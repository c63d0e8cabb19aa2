import { PASSED, type Guard, type GuardSnapshot, type GuardVerdict } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

const DEFAULT_EXTRA_SECONDS = 10;

/**
 * No entry on data older than its interval plus a margin (market time): a decision on a dead feed is
 * a guess.
 */
export function dataAge(limits: GuardLimits): Guard {
  const evaluate = symbolAge(limits);
  return (intent, snapshot) => {
    for (const { symbol } of intent.entries) {
      const verdict = evaluate(symbol, snapshot);
      if (!verdict.passed) return verdict;
    }
    return PASSED;
  };
}

/** The same of a symbol, whatever the entry. */
export function symbolAge(limits: GuardLimits) {
  const extraMs = (limits.max_data_age_seconds ?? DEFAULT_EXTRA_SECONDS) * 1_000;
  return (symbol: string, snapshot: Pick<GuardSnapshot, 'now' | 'market'>): GuardVerdict => {
    const market = snapshot.market(symbol);
    if (market === undefined) {
      return { passed: false, guard: 'data_age', reason: `no data on ${symbol} yet` };
    }
    const limit = market.intervalMs + extraMs;
    const value = snapshot.now - market.time;
    if (value <= limit) return PASSED;
    const reason = `data on ${symbol} is ${Math.round(value / 1_000)} s old`;
    return { passed: false, guard: 'data_age', reason, limit, value };
  };
}
