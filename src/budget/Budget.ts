import type { BudgetUse } from './createTally.ts';
import type { Lane } from './lanes.ts';

export interface BudgetOptions {
  /** Weight per minute that the service grants the key; learned from its answers if they contain it. */
  limit: number;
  windowMs: number;
  /** Share of the limit that the bot allows itself (0 to 1). */
  share: number;
  /** Share of the allowance that is reserved for `control` and `exit` (0 to 1). */
  reserveShare: number;
  /** Minimum weight reserved for them, on top of `exitWeight`. */
  reserveFloor: number;
  /** Weight that closing everything open would cost; the reserve grows with it. */
  exitWeight?: () => number;
  /** Epoch milliseconds of the clock by which the service's budget is counted. */
  now: () => number;
  /** Milliseconds of a clock that runs with the wall's; only where `now` is of another one. */
  wallNow?: () => number;
}

export type Admission =
  | { admitted: true }
  | { admitted: false; reason: 'budget' | 'retry_after'; until: number; need: string };

/** The rate budget as it is now; weights, but for the times of a pause. */
export interface BudgetStatus {
  limit: number;
  used: number;
  allowance: number;
  foreign: number;
  /** End of a pause that the service asked for, on the budget's clock, which need not be the wall's. */
  heldUntil: number;
  /** How long it still is, milliseconds; 0 if there is none. */
  heldForMs: number;
}

export interface Budget {
  /** Whether `weight` may be spent now; spends nothing. */
  admit(lane: Lane, weight: number): Admission;
  /** Books the weight of what is about to be sent. */
  spend(weight: number, lane: Lane): void;
  /** Learns the key's limit (`/v1/rate-limits`). */
  learnLimit(limit: number): void;
  /**
   * Another key is in use, of which the service has counted `limit - remaining` so far. Absent where the budget of
   * another key is another budget.
   */
  startOver?(limit: number, remaining: number): void;
  /** Learns from an answer's remaining weight: what the ledger lacks was spent by another process. */
  learnRemaining(remaining: number): void;
  /**
   * A 429: nothing is sent before this many milliseconds have passed (LIM-2), of the budget's clock, or of the wall's if
   * a gateway asks, which knows no other.
   */
  holdFor(delayMs: number, by?: 'wall'): void;
  /** An answer that was no 429, to a request that left after the last one: the service accepts requests. */
  served(): void;
  /** Everything that was spent since the start, by lane. */
  use(): BudgetUse;
  status(): BudgetStatus;
}
