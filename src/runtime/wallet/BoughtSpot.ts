/** A bot's spot purchases on a wallet, as the journal holds them; sizes in base units. */
export interface BoughtSpot {
  /** Service time of the newest fill that is counted, epoch milliseconds. */
  since: number;
  /** Ids of the newest fills, so that none that is read again counts twice. */
  seen: string[];
  /** By symbol: bought by the bot and not sold since, by anyone. */
  bought: Record<string, number>;
  /** By order: sales that the service accepted and whose fills are still to be shown. */
  debits: Record<string, number>;
  /** By order with a debit: what it sells in all, as far as that is known. What a debit lacks of it was shown. */
  sizes: Record<string, number>;
  /** Purchases without a known owner yet. */
  undecided: Array<{
    symbol: string;
    size: number;
    order_id: string;
    client_order_id?: string | null | undefined;
    execution_id?: string | null | undefined;
  }>;
}

export const emptyBought = (): BoughtSpot => ({
  since: 0,
  seen: [],
  bought: {},
  debits: {},
  sizes: {},
  undecided: [],
});

/** The persisted value; undefined if there is none. */
export function readBought(text: string | undefined): BoughtSpot | undefined {
  return text === undefined ? undefined : { ...emptyBought(), ...(JSON.parse(text) as BoughtSpot) };
}

/** Share of a sum that the rounding of thousands of sums may make; the last step of a holding is more. */
const RESIDUE = 2 ** -44;

/** Adds to what was bought of a symbol; negative takes away. */
export function addBought(state: BoughtSpot, symbol: string, size: number): void {
  const before = state.bought[symbol] ?? 0;
  const next = before + size;
  state.bought[symbol] = next < Math.max(before, Math.abs(size)) * RESIDUE ? 0 : next;
}

const MOST_UNDECIDED = 1_000;

/** A fill may arrive before the answer that shows whose order it belongs to. */
export function decideOwners(state: BoughtSpot, isOwn: (key: string) => boolean): void {
  const open = state.undecided.splice(0);
  for (const one of open) {
    const { order_id, client_order_id, execution_id } = one;
    const keys = [order_id, client_order_id, execution_id];
    if (keys.some((key) => key != null && isOwn(key))) addBought(state, one.symbol, one.size);
    else state.undecided.push(one);
  }
  state.undecided.splice(0, state.undecided.length - MOST_UNDECIDED);
}

/** Regardless of the seller, what is gone can't be sold again; in doubt it was the bot's. */
export function takeSold(state: BoughtSpot, symbol: string, size: number): void {
  const bought = Math.max(0, state.bought[symbol] ?? 0);
  addBought(state, symbol, -Math.min(size, bought));
  let left = size - bought;
  for (const one of state.undecided) {
    if (left <= 0) break;
    if (one.symbol !== symbol) continue;
    const part = Math.min(one.size, left);
    one.size -= part;
    left -= part;
  }
}
