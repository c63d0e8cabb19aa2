import { LIMITS } from '../contract/index.ts';
import { PASSED, type Guard } from './Guard.ts';

/**
 * LEG-11, TRK-6: a wallet has twenty rows for trails and tracked entries; one more is denied here, before it
 * costs the weight of a refusal.
 */
export const maintainedRows: Guard = (intent, snapshot) => {
  if (intent.maintainedRows === 0) return PASSED;
  const inUse = snapshot.maintainedRows;
  const value = inUse + intent.maintainedRows;
  const limit = LIMITS.maintainedRows;
  if (value <= limit) return PASSED;
  const reason = `${inUse} of ${limit} trailing and tracked rows are in use`;
  return { passed: false, guard: 'maintained_rows', reason, limit, value };
};
