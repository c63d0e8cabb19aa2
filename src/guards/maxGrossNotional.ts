import { enlarging } from './enlarging.ts';
import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';
import { grossExposureOf } from './grossExposureOf.ts';

/** Sum of notionals over all symbols of the wallet, with everything pending. */
export function maxGrossNotional(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.max_gross_notional;
    if (limit === undefined || enlarging(intent.entries).length === 0) return PASSED;
    const value = grossExposureOf(intent.entries, snapshot);
    if (value <= limit) return PASSED;
    const reason = `the wallet would reach ${value.toFixed(2)} gross, above ${limit}`;
    return { passed: false, guard: 'max_gross_notional', reason, limit, value };
  };
}
