import { z } from 'zod';
import { CONNECTION_STATUSES, TIERS } from '../../contract/index.ts';
import { feedSettings, symbolSetting } from './feedSettings.ts';
import { feeSettings } from './feeSettings.ts';
import { fundingSettings } from './fundingSettings.ts';
import { latencySettings } from './latencySettings.ts';

/** Settings of one instrument; the rest follows from its symbol and its feed. */
export const instrumentSettings = z.strictObject({
  size_decimals: z
    .int()
    .min(0)
    .max(8)
    .optional()
    .meta({ description: 'Decimals of a size. Default: 5.' }),
  price_decimals: z.int().min(0).max(12).optional().meta({
    description:
      'Largest number of decimals of a price, within 5 significant figures. Default: from size_decimals and the feed.',
  }),
  min_order_value: z
    .number()
    .min(0)
    .optional()
    .meta({ description: 'Smallest value of an order, quote units. Default: 10.' }),
  algo_min_value: z
    .number()
    .min(0)
    .optional()
    .meta({ description: 'Algo minimum (LEG-10), quote units. Default: 100.' }),
  max_leverage: z
    .number()
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: 'Highest leverage that can be set (times). Default: 50.' }),
});

export const connectionSettings = z.strictObject({
  label: z.string().min(1).max(64).meta({ description: "Name; its slug is the wallet's id." }),
  balance: z.number().min(0).default(10_000).meta({ description: 'Cash, USDC.' }),
  status: z
    .enum(CONNECTION_STATUSES)
    .default('active')
    .meta({ description: 'State of the connection (CON-1).' }),
});

/**
 * Section `paper` of a configuration, and what `trimtab paper` builds from its flags (conventions §6
 * and §7). Money is in USDC, times in epoch milliseconds.
 *
 * ```ts
 * const settings = paperSettings.parse({ feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }] });
 * settings.balance; // => 10000
 * ```
 */
export const paperSettings = z.strictObject({
  feeds: z
    .array(feedSettings)
    .min(1)
    .meta({ description: 'Candles to replay, one feed a symbol.' }),
  balance: z
    .number()
    .min(0)
    .default(10_000)
    .meta({ description: 'Cash of the default wallet, main, in USDC.' }),
  connections: z
    .array(connectionSettings)
    .default([])
    .meta({ description: 'Further wallets, each with its own account.' }),
  speed: z
    .union([z.number().min(0), z.literal('max')])
    .default(1)
    .meta({
      description: 'Replay seconds per second, or max: as fast as frames are consumed; 0 pauses.',
    }),
  paused: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether the replay starts paused, to be stepped.' }),
  warmup: z
    .int()
    .min(0)
    .default(500)
    .meta({ description: 'Bars of the feed that are history when the replay starts.' }),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(8_730)
    .meta({ description: 'Loopback port of trimtab paper; 0 takes a free one.' }),
  budget_clock: z
    .enum(['wall', 'replay'])
    .default('wall')
    .meta({ description: 'Clock of the rate budgets: wall or replay.' }),
  limits: z
    .enum(['on', 'off'])
    .default('on')
    .meta({ description: 'off lifts both rate budgets, for fuzzing and benchmarks.' }),
  tier: z.enum(TIERS).default('standard').meta({
    description: 'Rate-budget tier of the demo key; the fee tier comes from traded volume.',
  }),
  retention: z
    .int()
    .min(1)
    .default(100_000)
    .meta({ description: 'Closed records retained of each kind.' }),
  instruments: z
    .record(symbolSetting, instrumentSettings)
    .default({})
    .meta({ description: 'Overrides of instruments, by symbol.' }),
  fees: feeSettings.prefault({}).meta({
    description:
      'Fees of fills, for all symbols and by symbol for those that differ: `{ venue: hyperliquid, ETH: { taker_bps: 3 } }`.',
  }),
  half_spread_bps: z
    .number()
    .min(0)
    .max(1_000)
    .default(1)
    .meta({ description: 'Distance of bid and ask from the mark, basis points.' }),
  impact_bps: z.number().min(0).max(10_000).default(10).meta({
    description: "Impact of a taker: this many basis points, times its share of the bar's volume.",
  }),
  volume_share: z
    .number()
    .positive()
    .max(1)
    .default(0.1)
    .meta({ description: "Share of a bar's volume that fills may use (above 0, at most 1)." }),
  fill_on_touch: z.boolean().default(false).meta({
    description:
      'Whether a resting order fills when its price is touched, not only traded through.',
  }),
  latency: latencySettings.prefault({}).meta({
    description:
      'Latencies of `order_ms`, `cancel_ms` and `data_ms` in milliseconds of replay time: each a number, or median and p99 of a log-normal distribution. Default: 0.',
  }),
  state: z.string().min(1).optional().meta({
    description:
      'File that persists accounts, orders, keys with their secrets and the rest across restarts (mode 0600). Only trimtab paper writes one. Default: none.',
  }),
  funding: z.record(symbolSetting, fundingSettings).default({}).meta({
    description:
      'By symbol a file (CSV of timestamp,funding_rate, or a cache), or one rate: `{ rate_bps: 0.125, interval: 1h }`. Default: 0.00125 % an hour.',
  }),
});

/** Checked settings, every default filled in. */
export type PaperSettings = z.infer<typeof paperSettings>;
/** Settings as a user writes them. */
export type PaperSettingsInput = z.input<typeof paperSettings>;
