import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';
import { exposureOf } from './exposureOf.ts';

/** Sum of notionals over all symbols of the wallet, with everything pending. */
export function maxGrossNotional(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.max_gross_notional;
    if (limit === undefined || intent.entries.length === 0) return PASSED;
    const entered = intent.entries.map((entry) => entry.symbol);
    const symbols = [...new Set([...snapshot.exposedSymbols, ...entered])];
    const value = symbols
      .map((symbol) => exposureOf(symbol, intent.entries, snapshot))
      .reduce((sum, exposure) => sum + exposure, 0);
    if (value <= limit) return PASSED;
    const reason = `the wallet would reach ${value.toFixed(2)} gross, above ${limit}`;
    return { passed: false, guard: 'max_gross_notional', reason, limit, value };
  };
}
