import type { Budget } from './Budget.ts';
import type { BudgetUse } from './createTally.ts';
import type { SharedBudget } from './createSharedBudget.ts';
import { LANES, type Lane } from './lanes.ts';

/** A shared budget that another one, of another key, can replace: each key has a ledger of its own. */
export interface ReplaceableBudget extends SharedBudget {
  /** From now on the other one is asked. The present one books its last spending and returns what it holds. */
  replace(next: SharedBudget): Promise<void>;
}

export function createReplaceableBudget(first: SharedBudget): ReplaceableBudget {
  let current: Budget & SharedBudget = first;
  /** What was spent with earlier keys. */
  let before: BudgetUse | undefined;
  let closing: Promise<void> = Promise.resolve();

  const useNow = (): BudgetUse => {
    const now = current.use();
    if (before === undefined) return now;
    const entries = LANES.map((lane) => [lane, before!.spent[lane] + now.spent[lane]]);
    const spent = Object.fromEntries(entries) as Record<Lane, number>;
    return { spent, peak: Math.max(before.peak, now.peak), allowance: now.allowance };
  };
  return {
    admit: (lane, weight) => current.admit(lane, weight),
    spend: (weight, lane) => current.spend(weight, lane),
    learnLimit: (limit) => current.learnLimit(limit),
    learnRemaining: (remaining) => current.learnRemaining(remaining),
    holdFor: (delayMs, by) => current.holdFor(delayMs, by),
    served: () => current.served(),
    use: useNow,
    status: () => current.status(),
    get isAlone() {
      return current.isAlone;
    },
    get members() {
      return current.members;
    },
    replace(next) {
      before = useNow();
      const old = current;
      current = next;
      closing = Promise.all([closing, old.close()]).then(() => {});
      return closing;
    },
    async close() {
      await Promise.all([closing, current.close()]);
    },
  };
}
