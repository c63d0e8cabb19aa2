/** What a venue takes of a fill's notional, basis points; a maker's may be a rebate, below zero. */
export interface VenueFees {
  maker_bps: number;
  taker_bps: number;
}

interface VenueSchedule {
  /** Perpetuals, third-party-deployed ones too, whose deployer may take more. */
  perp: VenueFees;
  spot: VenueFees;
}

/** The first tier of what venues publish, without discounts: see `docs/fees.md` for sources and dates. */
export const VENUES = {
  hyperliquid: {
    perp: { maker_bps: 1.5, taker_bps: 4.5 },
    spot: { maker_bps: 4, taker_bps: 7 },
  },
  binance: {
    perp: { maker_bps: 2, taker_bps: 5 },
    spot: { maker_bps: 10, taker_bps: 10 },
  },
  bybit: {
    perp: { maker_bps: 2, taker_bps: 5.5 },
    spot: { maker_bps: 10, taker_bps: 10 },
  },
} as const satisfies Record<string, VenueSchedule>;

export type VenueName = keyof typeof VENUES;

/** Where nothing is set, whatever the instrument (conventions §6). */
const DEFAULT: VenueFees = { maker_bps: 1.5, taker_bps: 4.5 };

/** Fees as a configuration sets them; what is absent is left to the next coarser setting. */
export interface FeeRates {
  venue?: VenueName | undefined;
  maker_bps?: number | undefined;
  taker_bps?: number | undefined;
  service_bps?: number | undefined;
}

/** For all symbols, and for some of them. */
export interface FeeSettings {
  all: FeeRates;
  symbols: Readonly<Record<string, FeeRates>>;
}

/** Fees of one instrument. `serviceBps` null: by the tier of the traded volume (ACC-2). */
export interface Fees {
  makerBps: number;
  takerBps: number;
  serviceBps: number | null;
}

/** A symbol's own numbers, then its venue's, then the numbers for all, then their venue's. */
export function feesOf({ all, symbols }: FeeSettings, symbol: string, isSpot: boolean): Fees {
  const own = Object.hasOwn(symbols, symbol) ? symbols[symbol]! : {};
  const pick = (name: keyof VenueFees): number =>
    [own, all]
      .flatMap((rates) => [
        rates[name],
        rates.venue === undefined
          ? undefined
          : (VENUES[rates.venue] as VenueSchedule)[isSpot ? 'spot' : 'perp'][name],
      ])
      .find((bps) => bps !== undefined) ?? DEFAULT[name];
  return {
    makerBps: pick('maker_bps'),
    takerBps: pick('taker_bps'),
    serviceBps: own.service_bps ?? all.service_bps ?? null,
  };
}
