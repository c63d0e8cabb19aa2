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
  /** Purchases whose owner is not known yet. */
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
  undecided: [],
});

/** The persisted value; undefined if there is none. */
export function readBought(text: string | undefined): BoughtSpot | undefined {
  return text === undefined ? undefined : { ...emptyBought(), ...(JSON.parse(text) as BoughtSpot) };
}
