/** As many equal steps make a rule of the venue; fewer are gaps. */
const RULE_STEPS = 6;

/** How often a venue settles, from a row on. */
export interface SettlementRule {
  /** Index of the first settlement that it counts from. */
  from: number;
  /** Hours. */
  step: number;
}

/**
 * Stretches of equal steps, and the row from which each counts. Venues change how often they settle: a
 * stretch of equal steps is no gap, however long they are.
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
