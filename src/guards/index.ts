/** Pure rules, a file each: (intent, snapshot) → passed | denied. */
export { createGuards } from './createGuards.ts';
export { walletLoss } from './dailyLoss.ts';
export { symbolAge } from './dataAge.ts';
export { explainRefused } from './hasScopes.ts';
export { walletCover } from './maxUncoveredSeconds.ts';
export { enlarging } from './enlarging.ts';
export type {
  DecisionCause,
  Entry,
  Guard,
  GuardedIntent,
  GuardSnapshot,
  GuardVerdict,
  GuardEvaluation,
  Reference,
} from './Guard.ts';
export type { GuardLimits } from './GuardLimits.ts';
export { decisionAge } from './maxDecisionAgeSeconds.ts';
