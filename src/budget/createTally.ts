import { LANES, type Lane } from './lanes.ts';

/** Spending statistics of a budget. Weights are the service's own units. */
export interface BudgetUse {
  spent: Readonly<Record<Lane, number>>;
  /** Most that was used in any one window, by all users of the key. */
  peak: number;
  /** What may be used in a window; the peak's distance from it is the remaining headroom. */
  allowance: number;
}

export interface Tally {
  /** @param used weight in the window including this spending */
  add(lane: Lane, weight: number, used: number): void;
  use(allowance: number): BudgetUse;
}

/** Counts spending by lane for as long as a process runs; the budget itself forgets it. */
export function createTally(): Tally {
  const spent = Object.fromEntries(LANES.map((lane) => [lane, 0])) as Record<Lane, number>;
  let peak = 0;
  return {
    add(lane, weight, used) {
      spent[lane] += weight;
      peak = Math.max(peak, used);
    },
    use: (allowance) => ({ spent: { ...spent }, peak, allowance }),
  };
}
