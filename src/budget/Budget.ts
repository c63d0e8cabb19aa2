import type { BudgetUse } from './createTally.ts';
import type { Lane } from './lanes.ts';

export interface BudgetOptions {
  /** Weight a minute that the service grants the key; learned from it where it says. */
  limit: number;
  windowMs: number;
  /** Share of the limit that we allow ourselves (0 to 1). */
  share: number;
  /** Share of the allowance that is kept for `control` and `exit` (0 to 1). */
  reserveShare: number;
  /** Weight kept for them at least, on top of `exitWeight`. */
  reserveFloor: number;
  /** Weight that closing everything open would cost; the reserve grows with it. */
  exitWeight?: () => number;
  /** Epoch milliseconds of the clock that the service's budget runs on. */
  now: () => number;
}

export type Admission =
  | { admitted: true }
  | { admitted: false; reason: 'budget' | 'retry_after'; until: number; need: string };

export interface Budget {
  /** Whether `weight` may be spent now; spends nothing. */
  admit(lane: Lane, weight: number): Admission;
  /** Books what is about to be sent. */
  spend(weight: number, lane: Lane): void;
  /** Learns the key's limit (`/v1/rate-limits`). */
  learnLimit(limit: number): void;
  /** Learns from an answer's remaining weight: what the ledger lacks was spent by someone else. */
  learnRemaining(remaining: number): void;
  /** A 429: nothing goes out before so many milliseconds of the budget's clock are over (LIM-2). */
  holdFor(delayMs: number): void;
  /** An answer that was no 429: the service takes requests. */
  served(): void;
  /** All that was spent since the start, by lane. */
  use(): BudgetUse;
  status(): { limit: number; used: number; allowance: number; foreign: number; heldUntil: number };
}
