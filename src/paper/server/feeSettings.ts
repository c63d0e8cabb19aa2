import { z } from 'zod';
import { VENUES, type FeeRates, type FeeSettings, type VenueName } from '../venue/venueFees.ts';

const bps = (least: number) => z.number().min(least).max(1_000).optional();

const rates = {
  venue: z
    .enum(Object.keys(VENUES) as [VenueName, ...VenueName[]])
    .optional()
    .meta({
      description: 'Whose published fees of the first tier apply; a number beside it wins.',
    }),
  maker_bps: bps(-100).meta({
    description: "The venue's fee of a maker, basis points; below zero: a rebate. Default: 1.5.",
  }),
  taker_bps: bps(0).meta({
    description: "The venue's fee of a taker, basis points. Default: 4.5.",
  }),
  service_bps: bps(0).meta({
    description: "The service's own fee of every fill, basis points. Default: by traded volume.",
  }),
};

const symbolRates = z.strictObject(rates).meta({
  description:
    "A symbol's own fees (for all: venue, maker_bps, taker_bps, service_bps); what it leaves out is as for all.",
});

/** Fees for all symbols, with exceptions by symbol. */
export const feeSettings = z.object(rates).catchall(symbolRates);

/** The numbers for all symbols, separate from those by symbol. */
export function toFeeSettings(settings: z.output<typeof feeSettings>): FeeSettings {
  const { venue, maker_bps, taker_bps, service_bps, ...symbols } = settings;
  return {
    all: { venue, maker_bps, taker_bps, service_bps },
    symbols: symbols as Record<string, FeeRates>,
  };
}
