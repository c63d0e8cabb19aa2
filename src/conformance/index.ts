/**
 * The contract's checks against any base address: stage (connect, wallets, replay) → checks, clause
 * by clause → result.
 */
export type { Claim, Needs, Verdict } from './Check.ts';
export { CHECKS } from './checks.ts';
export { CLAUSE_IDS, CLAUSES, type ClauseId } from './clauses.ts';
export { formatConformance } from './formatConformance.ts';
export type { SilentPoint } from './kit/silentPoints.ts';
export {
  runConformance,
  type CheckResult,
  type ClauseResult,
  type ConformanceOptions,
  type ConformanceResult,
  type SilentResult,
} from './runConformance.ts';
