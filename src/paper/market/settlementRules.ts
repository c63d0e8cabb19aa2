/** This number of equal steps makes a rule of the venue; fewer are gaps. */
const RULE_STEPS = 6;

/** How often a venue settles, from a row on. */
export interface SettlementRule {
  /** Index of the first settlement to which it applies. */
  from: number;
  /** Hours. */
  step: number;
}

/**
 * Runs of equal steps, and the row from which each applies. Venues change how often they settle: a run of
 * equal steps is not a gap, however long the steps are.
 *
 * @param hours settlements as hours since the epoch, ascending
 */
export function settlementRules(hours: Float64Array): SettlementRule[] {
  const rules: SettlementRule[] = [];
  let start = 0;
  for (let index = 1; index <= hours.length; index++) {
    const step = hours[start + 1]! - hours[start]!;
    const next = hours[index]! - hours[index - 1]!;
    if (next === step) continue;
    const isRule = index - 1 - start >= RULE_STEPS && step > 0;
    if (isRule && rules.at(-1)?.step !== step) rules.push({ from: start, step });
    start = index - 1;
  }
  return rules;
}
