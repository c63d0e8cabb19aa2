import { isWithin } from '../contract/bounds.ts';
import { enlarging } from './enlarging.ts';
import { foreignExposure } from './foreignExposure.ts';
import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';
import { grossExposureOf } from './grossExposureOf.ts';

/** Leverage that an intent sets, and gross notional against the wallet's equity. */
export function maxLeverage(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.max_leverage;
    if (limit === undefined) return PASSED;
    const set = intent.leverage ?? 0;
    if (set > limit) {
      const reason = `leverage ${set} is above ${limit}`;
      return { passed: false, guard: 'max_leverage', reason, limit, value: set };
    }
    if (enlarging(intent.entries).length === 0 || snapshot.equity === undefined) return PASSED;
    const value = grossExposureOf(intent.entries, snapshot) / Math.max(snapshot.equity, 0);
    if (isWithin(value, limit)) return PASSED;
    const { equity } = snapshot;
    const ratio = Number.isFinite(value) ? `${value.toFixed(2)} × equity` : 'of no known price';
    const foreign = foreignExposure(intent.entries, snapshot);
    const reason =
      equity > 0
        ? `gross notional would be ${ratio}, above ${limit}${foreign}`
        : `the wallet has no equity (${equity.toFixed(2)})`;
    return { passed: false, guard: 'max_leverage', reason, limit, value };
  };
}
