/** A venue's fees on a fill's notional, basis points; a maker's may be a rebate, below zero. */
export interface VenueFees {
  maker_bps: number;
  taker_bps: number;
}

interface VenueSchedule {
  /** Perpetuals, including third-party-deployed ones, whose deployer may charge more. */
  perp: VenueFees;
  spot: VenueFees;
}

/** The first tier that venues publish, without discounts: see `docs/fees.md` for sources and dates. */
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

/** The default for every instrument (conventions §6). */
const DEFAULT: VenueFees = { maker_bps: 1.5, taker_bps: 4.5 };

/** Configured fees; an absent one falls back to the next broader setting. */
export interface FeeRates {
  venue?: VenueName | undefined;
  maker_bps?: number | undefined;
  taker_bps?: number | undefined;
  service_bps?: number | undefined;
}

/** Fees for all symbols, with exceptions by symbol. */
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
