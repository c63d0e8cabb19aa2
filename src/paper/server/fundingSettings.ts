import { z } from 'zod';
import { INTERVAL_MS } from '../../contract/index.ts';
import type { ConstantFunding } from '../market/FundingSchedule.ts';

/** Funding is settled on full hours, so shorter intervals make no sense. */
const SETTLEMENT_INTERVALS = ['1h', '2h', '4h', '8h', '12h', '1d'] as const;

const constantRate = z.strictObject({
  rate_bps: z.number().min(-1_000).max(1_000).meta({
    description:
      'Rate of each settlement, basis points of the notional; positive: longs pay, below zero: shorts pay.',
  }),
  interval: z.enum(SETTLEMENT_INTERVALS).default('1h').meta({
    description: 'Time between settlements, which are at its multiples in UTC. Default: 1h.',
  }),
});

/** A file of settlements, or one rate for the whole tape. */
export const fundingSettings = z.union([
  z.string().min(1).meta({ description: 'CSV of timestamp,funding_rate, or a cache.' }),
  constantRate,
]);
export type FundingSettings = z.infer<typeof fundingSettings>;

/** The rate as a fraction, to the digits that a file would write it with: 0.1 bps is 0.00001. */
export function toConstantFunding({
  rate_bps,
  interval,
}: Exclude<FundingSettings, string>): ConstantFunding {
  const rate = Number((rate_bps / 10_000).toPrecision(15));
  return { constantRate: rate, intervalMs: INTERVAL_MS[interval] };
}
