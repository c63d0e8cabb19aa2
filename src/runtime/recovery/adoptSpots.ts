import type { Member } from '../members/index.ts';
import { isSpot, type Holdings } from '../wallet/index.ts';

/**
 * Spot that a strategy's earlier processes bought and did not sell is in its ledger from now on. The fills of this
 * process are in it already.
 */
export function adoptSpots(
  members: Iterable<Pick<Member, 'planned' | 'ledger'>>,
  { bought }: Pick<Holdings, 'bought'>,
): void {
  for (const { planned, ledger } of members) {
    for (const symbol of planned.symbols.filter(isSpot)) {
      const before = (bought(planned.wallet, symbol) ?? 0) - ledger.position(symbol);
      if (before > 0) ledger.adoptSpot(symbol, before);
    }
  }
}
