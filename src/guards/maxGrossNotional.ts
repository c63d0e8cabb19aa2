import { isWithin } from '../contract/bounds.ts';
import { endless } from './endless.ts';
import { enlarging } from './enlarging.ts';
import { foreignExposure } from './foreignExposure.ts';
import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';
import { grossExposureOf } from './grossExposureOf.ts';

/** Sum of notionals over all symbols of the wallet, with everything pending. */
export function maxGrossNotional(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.max_gross_notional;
    if (limit === undefined) return PASSED;
    const entries = enlarging(intent.entries);
    if (entries.length === 0) return PASSED;
    const repeated = endless('max_gross_notional', entries, limit);
    if (repeated !== undefined) return repeated;
    const value = grossExposureOf(intent.entries, snapshot);
    if (isWithin(value, limit)) return PASSED;
    const reached = Number.isFinite(value) ? value.toFixed(2) : 'what has no known price';
    const foreign = foreignExposure(intent.entries, snapshot);
    const reason = `the wallet would reach ${reached} gross, above ${limit}${foreign}`;
    return { passed: false, guard: 'max_gross_notional', reason, limit, value };
  };
}
