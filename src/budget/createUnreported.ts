import type { LedgerTurn } from './BudgetLedger.ts';

/** What this process has to report to the ledger: what it spent, and what the service answered. */
export interface Unreported {
  spend(weight: number): void;
  /** Used by any process, as the service reports. */
  learnUsed(used: number): void;
  holdUntil(time: number): void;
  isUrgent(): boolean;
  toTurn(): Pick<LedgerTurn, 'spent' | 'reported' | 'holdMs'>;
  /**
   * Notes what a turn reports, before it leaves.
   *
   * @returns to call once the ledger has it; what was learned while the turn was in flight is left for the next
   */
  begin(): () => void;
}

/** @param now milliseconds of the clock by which the service's budget is counted */
export function createUnreported(now: () => number): Unreported {
  let spent: Array<{ time: number; weight: number }> = [];
  /** An object: an equal one that was learned later is another. */
  let reported: { used: number } | undefined;
  let heldUntil: number | undefined;

  return {
    spend: (weight) => void spent.push({ time: now(), weight }),
    learnUsed(used) {
      reported = { used };
    },
    holdUntil(time) {
      heldUntil = time;
    },
    isUrgent: () => spent.length > 0 || heldUntil !== undefined,
    toTurn() {
      const time = now();
      return {
        spent: spent.map(({ time: at, weight }) => ({ weight, ageMs: Math.max(0, time - at) })),
        ...(reported === undefined ? {} : { reported: reported.used }),
        ...(heldUntil === undefined || heldUntil <= time ? {} : { holdMs: heldUntil - time }),
      };
    },
    begin() {
      const [count, report, hold] = [spent.length, reported, heldUntil];
      return () => {
        spent = spent.slice(count);
        if (reported === report) reported = undefined;
        if (heldUntil === hold) heldUntil = undefined;
      };
    },
  };
}
