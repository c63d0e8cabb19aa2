import { z } from 'zod';
import { VENUES, type FeeRates, type FeeSettings, type VenueName } from '../venue/venueFees.ts';

const bps = (least: number) => z.number().min(least).max(1_000).optional();

const rates = {
  venue: z
    .enum(Object.keys(VENUES) as [VenueName, ...VenueName[]])
    .optional()
    .meta({
      description: 'Venue whose published first-tier fees apply; explicit numbers override it.',
    }),
  maker_bps: bps(-100).meta({
    description: "The venue's maker fee, basis points; below zero: a rebate. Default: 1.5.",
  }),
  taker_bps: bps(0).meta({
    description: "The venue's taker fee, basis points. Default: 4.5.",
  }),
  service_bps: bps(0).meta({
    description: "The service's own fee on every fill, basis points. Default: by traded volume.",
  }),
};

const symbolRates = z.strictObject(rates).meta({
  description:
    "A symbol's own fees (for all: venue, maker_bps, taker_bps, service_bps); omitted fields are as for all symbols.",
});

type Rates = z.output<typeof symbolRates>;

/** Fees for all symbols by name of the field, and a symbol's own under its name. */
export interface FeesBySymbol extends Rates {
  [symbol: string]: Rates | Rates[keyof Rates];
}

/**
 * Fees for all symbols, with exceptions by symbol. The type that zod infers takes the fields of all symbols for symbols
 * too, so that nothing could be assigned to it.
 */
export const feeSettings = z.object(rates).catchall(symbolRates) as unknown as z.ZodType<
  FeesBySymbol,
  FeesBySymbol
>;

/** The numbers for all symbols, separate from those by symbol. */
export function toFeeSettings(settings: FeesBySymbol): FeeSettings {
  const { venue, maker_bps, taker_bps, service_bps, ...symbols } = settings;
  return {
    all: { venue, maker_bps, taker_bps, service_bps },
    symbols: symbols as Record<string, FeeRates>,
  };
}
