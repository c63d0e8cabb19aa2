import type { AtWork } from './AtWork.ts';
import type { Accepted } from './createAccepted.ts';
import type { Holdings } from './createHoldings.ts';
import type { WalletBook } from './WalletBook.ts';

export interface AtWorkOptions extends Pick<AtWork, 'isOwn'> {
  bookOf(wallet: string): WalletBook;
  accepted: Pick<Accepted, 'unseen'>;
  /** Spot that the bot bought. */
  holdings: Pick<Holdings, 'sellable'>;
}

/** Open records of a wallet: an accepted one counts, whether or not a stream has shown it. */
export function createAtWork({ bookOf, accepted, holdings, isOwn }: AtWorkOptions) {
  return (wallet: string): AtWork => {
    const book = bookOf(wallet);
    const unseen = accepted.unseen(wallet);
    return {
      wallet,
      orders: [...book.openOrders(), ...unseen.orders],
      executions: [...book.liveExecutions(), ...unseen.executions],
      positions: book.openPositions(),
      monitors: [...book.entryMonitors(), ...unseen.monitors],
      holdings: holdings.sellable(wallet),
      isOwn,
    };
  };
}
