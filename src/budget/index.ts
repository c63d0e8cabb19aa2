/** What may be sent now, and in which order: weights by the table, a sliding window, lanes, reserves. */
export type { BudgetLedger, LedgerAnswer, LedgerClasses, LedgerTurn } from './BudgetLedger.ts';
export { createBudget } from './createBudget.ts';
export { type Admission, type Budget, type BudgetOptions, type BudgetStatus } from './Budget.ts';
export {
  createSharedBudget,
  type SharedBudget,
  type SharedBudgetOptions,
} from './createSharedBudget.ts';
export type { BudgetUse } from './createTally.ts';
export { createWindow, type Window } from './createWindow.ts';
export { isUrgent, LANES, priorityOf, type Lane } from './lanes.ts';
export { readWeight } from './readWeight.ts';
export { reserveAbove } from './reserveAbove.ts';
export { createReplaceableBudget, type ReplaceableBudget } from './createReplaceableBudget.ts';
