/** Weight for cancels, stops and exits, and weight for everything else. */
export interface LedgerClasses {
  urgent: number;
  ordinary: number;
}

/** What one process reports to the ledger that it shares with the others of its key. */
export interface LedgerTurn {
  windowMs: number;
  share: number;
  reserveShare: number;
  reserveFloor: number;
  /** Weight per minute that the service grants the key. */
  limit: number;
  /** Weight that closing everything that this process has open would cost. */
  exitWeight: number;
  /** Sent since the previous turn. */
  spent: ReadonlyArray<{ weight: number; ageMs: number }>;
  /** Granted before and not sent; the rest of the grant is returned. */
  held: LedgerClasses;
  /** What it would like to hold. */
  wanted: LedgerClasses;
  /** What it must hold before it can send what waits; 0 when nothing waits. */
  needed: LedgerClasses;
  /** Used by any process, as the service reports. */
  reported?: number;
  /** Remaining time of a 429's `retry_after`, milliseconds. */
  holdMs?: number;
}

export interface LedgerAnswer {
  /** What the process holds now in total. */
  held: LedgerClasses;
  /** Spent within the window by all processes, and held by them. */
  spent: number;
  outstanding: number;
  /** Spent within the window by processes that do not use this ledger. */
  foreign: number;
  holdMs: number;
  /** Processes that share the key, this one included. */
  members: number;
  /** Whether any of them waits. */
  isContended: boolean;
  /** When enough will have left the window for what is needed. */
  waitMs: number;
}

/** Spending of a key by all processes that share it; each turn is atomic. */
export interface BudgetLedger {
  /** Rejects when the ledger can't be reached. */
  turn(turn: LedgerTurn): Promise<LedgerAnswer>;
  /** Leaves the ledger: what this process held is free for the others at once. */
  close(last: LedgerTurn): Promise<void>;
}
