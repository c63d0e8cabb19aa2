import type { HeldPositions, Place } from './createHeldPositions.ts';
import type { Ownership } from './createOwnership.ts';

/** How an operator names a position: by its symbol, and by its wallet where there are several. */
export const placeName = (wallet: string, symbol: string, wallets: readonly string[]): string =>
  wallets.length > 1 ? `${wallet}:${symbol}` : symbol;

/** A position that waits for an operator. */
export interface Unowned extends Place {
  /** Who owned it according to the journal; undefined if it was never this bot's. */
  former: string | undefined;
}

/** The positions that no strategy of the bot owns. */
export interface UnownedPositions {
  add(found: Unowned): void;
  /** From now on, one that comes later is found, too. */
  search(): void;
  /** Those of a wallet that are still open; one that was closed, by anyone, no longer waits. */
  of(wallet: string): readonly Unowned[];
}

export interface UnownedOptions {
  ownership: Ownership;
  held: HeldPositions;
  /** The bot's; nothing is searched when it is over. */
  lifetime: { readonly closed: boolean };
}

const NONE: readonly Unowned[] = [];

export function createUnowned({ ownership, held, lifetime }: UnownedOptions): UnownedPositions {
  const { ownerOf, formerOf, isIgnored } = ownership;
  const unowned: Unowned[] = [];
  /** Former owners of symbols that no strategy trades: none of this process changes them. */
  const formers = new Map<string, string | undefined>();
  /** The last result by wallet, for a view that asks when the journal is closed. */
  const known = new Map<string, readonly Unowned[]>();
  let isSearching = false;

  /**
   * Positions that came after the start on a symbol that no strategy trades and one did: of an order that a strategy
   * left behind. What others open on a symbol that this bot never traded is theirs.
   */
  function findLater(wallet: string): void {
    for (const symbol of held.symbolsOf(wallet)) {
      if (ownerOf(wallet, symbol) !== undefined || isIgnored(wallet, symbol)) continue;
      if (unowned.some((one) => one.wallet === wallet && one.symbol === symbol)) continue;
      if (!held.isHeld(wallet, symbol)) continue;
      const place = `${wallet} ${symbol}`;
      if (!formers.has(place)) formers.set(place, formerOf(wallet, symbol));
      const former = formers.get(place);
      if (former !== undefined) unowned.push({ wallet, symbol, former });
    }
  }

  return {
    add: (found) => void unowned.push(found),
    search: () => void (isSearching = true),
    of(wallet) {
      if (lifetime.closed) return known.get(wallet) ?? NONE;
      if (isSearching) findLater(wallet);
      if (unowned.length === 0) {
        if (known.size > 0) known.clear();
        return NONE;
      }
      const over = unowned.filter((one) => !held.isHeld(one.wallet, one.symbol));
      for (const one of over) {
        unowned.splice(unowned.indexOf(one), 1);
        ownership.release(one.wallet, one.symbol);
      }
      const waiting = unowned.filter(
        (one) => one.wallet === wallet && !held.isDust(one.wallet, one.symbol),
      );
      known.set(wallet, waiting);
      return waiting;
    },
  };
}

/** What waits, and what an operator can decide. */
export function explainUnowned(
  { wallet, symbol, former }: Unowned,
  wallets: readonly string[],
): string {
  const whose = former === undefined ? 'was never this bot’s' : `was ${former}'s`;
  const place = placeName(wallet, symbol, wallets);
  return (
    `the position in ${symbol} on ${wallet} ${whose} and no strategy owns it; decide at ` +
    `the next start: trimtab run with --adopt ${symbol}=STRATEGY, --ignore ${place} or --flatten ${place}`
  );
}
