import type { Member } from './createMembers.ts';
import type { WalletBook } from '../wallet/index.ts';

/** An instance accounts for the positions that are open on its symbols at the start. */
export function adoptPositions(
  members: Iterable<Member>,
  bookOf: (wallet: string) => WalletBook,
): void {
  for (const { planned, ledger } of members) {
    for (const symbol of planned.symbols) {
      const position = bookOf(planned.wallet).positionRecord(symbol);
      if (position !== undefined) ledger.adopt(position);
    }
  }
}
