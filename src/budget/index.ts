/** What may be sent now, and in which order: weights by the table, a sliding window, lanes, reserves. */
export { createBudget, type Admission, type Budget, type BudgetOptions } from './createBudget.ts';
export { createWindow, type Window } from './createWindow.ts';
export { LANES, priorityOf, type Lane } from './lanes.ts';
