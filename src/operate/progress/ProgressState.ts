/** The progress of a run at one instant. */
export interface ProgressState {
  barsDone: number;
  barsTotal: number;
  /** Time in the replay, epoch ms. */
  marketTime: number;
  /** Quote units, over all wallets. */
  equity: number;
  /** Running algorithms, over all wallets: neither positions nor orders. */
  runningExecutions: number;
  /** Weight used in the current minute, and the limit. */
  budgetUsed: number;
  budgetLimit: number;
}
