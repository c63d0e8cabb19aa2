/** How far a run is, as of one moment. */
export interface ProgressState {
  barsDone: number;
  barsTotal: number;
  /** Time in the replay, epoch ms. */
  marketTime: number;
  /** Quote units, over all wallets. */
  equity: number;
  /** Algorithms that work, over all wallets: neither positions nor orders. */
  runningExecutions: number;
  /** Weight used in the running minute, and what may be used. */
  budgetUsed: number;
  budgetLimit: number;
}
