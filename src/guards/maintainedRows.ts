import { LIMITS } from '../contract/index.ts';
import { PASSED, type Guard } from './Guard.ts';

/**
 * LEG-11, TRK-6: a wallet has twenty rows for trails and tracked entries; the one too many is denied
 * here, before it costs the weight of a refusal.
 */
export const maintainedRows: Guard = (intent, snapshot) => {
  const value = snapshot.maintainedRows + intent.maintainedRows;
  const limit = LIMITS.maintainedRows;
  if (intent.maintainedRows === 0 || value <= limit) return PASSED;
  const reason = `${snapshot.maintainedRows} of ${limit} trailing and tracked rows are in use`;
  return { passed: false, guard: 'maintained_rows', reason, limit, value };
};
