/** What the journal keeps of a bot's spot purchases on a wallet; sizes in base units. */
export interface BoughtSpot {
  /** Service time of the newest fill that is counted, epoch milliseconds. */
  since: number;
  /** Ids of the newest fills, so that none that is read again counts twice. */
  seen: string[];
  /** By symbol: bought by the bot and not sold since, by anybody. */
  bought: Record<string, number>;
  /** By order: sales that the service accepted, and whose fills are still to be shown. */
  debits: Record<string, number>;
  /** Purchases of which it is not known whose they are. */
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

/** What stands in the journal; undefined where nothing does. */
export function readBought(text: string | undefined): BoughtSpot | undefined {
  return text === undefined ? undefined : { ...emptyBought(), ...(JSON.parse(text) as BoughtSpot) };
}
