/** Pure rules, a file each: (intent, snapshot) → passed | denied. */
export { createGuards } from './createGuards.ts';
export { walletLoss } from './dailyLoss.ts';
export { symbolAge } from './dataAge.ts';
export { explainRefused } from './hasScopes.ts';
export { walletCover } from './maxUncoveredSeconds.ts';
export { enlarging } from './enlarging.ts';
export {
  PASSED,
  type DecisionCause,
  type Entry,
  type Guard,
  type GuardedIntent,
  type GuardSnapshot,
  type GuardVerdict,
  type GuardEvaluation,
  type Reference,
} from './Guard.ts';
export type { GuardLimits } from './GuardLimits.ts';
export { decisionAge, type DecisionAge } from './maxDecisionAgeSeconds.ts';
