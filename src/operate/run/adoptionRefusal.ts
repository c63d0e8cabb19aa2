import type { OwnerDecision, PlannedStrategy } from '../../runtime/index.ts';

/** A position is adopted by a strategy that may trade it, or by none. */
export function adoptionRefusal(
  decisions: readonly OwnerDecision[],
  strategies: readonly PlannedStrategy[],
): string | undefined {
  for (const decision of decisions) {
    if (decision.kind !== 'adopt') continue;
    const { symbol, strategy } = decision;
    const said = `--adopt ${symbol}=${strategy}`;
    const found = strategies.find(({ name }) => name === strategy);
    const names = strategies.map(({ name }) => name).join(', ');
    if (found === undefined) return `${said}: no strategy is named so; there are ${names}.`;
    if (found.symbols.includes(symbol)) continue;
    const remedy = `Add ${symbol} to its symbols, or name a strategy that has it.`;
    return `${said}: ${strategy} trades ${found.symbols.join(', ')} only.\n  ${remedy}`;
  }
  return undefined;
}
