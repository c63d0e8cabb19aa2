import { z } from 'zod';
import { CONNECTION_STATUSES, INTERVALS, TIERS } from '../../contract/index.ts';

/** A symbol: what the venue calls it; a slash means spot, a colon a third-party perp. */
const symbol = z.string().min(1).max(64);
const interval = z.enum(INTERVALS);

/** A tape that is made from a seed: the same settings give the same bytes on every machine. */
export const generateSettings = z.strictObject({
  seed: z.union([z.string().min(1), z.int()]).default('trimtab'),
  bars: z.int().min(2).max(10_000_000).default(20_000),
  start_price: z.number().positive().default(60_000),
  /** Epoch milliseconds of the first bar's open, aligned down to its interval. */
  start_time: z.int().min(0).default(1_735_689_600_000),
  /** Typical move of one bar, in basis points of the price. */
  volatility_bps: z.number().positive().max(500).default(8),
  /** Typical volume of one bar, base units. */
  volume: z.number().positive().default(40),
});
export type GenerateSettings = z.infer<typeof generateSettings>;

const fileFeed = z.strictObject({ symbol, interval, path: z.string().min(1) });
const generatedFeed = z.strictObject({
  symbol,
  interval,
  generate: generateSettings.prefault({}),
});

/** One symbol's candles: from a file (CSV, `.gz` too), or made from a seed. */
export const feedSettings = z.union([fileFeed, generatedFeed]);
export type FeedSettings = z.infer<typeof feedSettings>;

/** What may be set of one instrument; the rest follows from its symbol and its feed. */
export const instrumentSettings = z.strictObject({
  size_decimals: z.int().min(0).max(8).optional(),
  price_decimals: z.int().min(0).max(12).optional(),
  min_order_value: z.number().min(0).optional(),
  algo_min_value: z.number().min(0).optional(),
  max_leverage: z.number().min(1).max(1_000).optional(),
});
export type InstrumentSettings = z.infer<typeof instrumentSettings>;

export const connectionSettings = z.strictObject({
  label: z.string().min(1).max(64),
  balance: z.number().min(0).default(10_000),
  status: z.enum(CONNECTION_STATUSES).default('active'),
});
export type ConnectionSettings = z.infer<typeof connectionSettings>;

/**
 * Section `paper` of a configuration, and what `trimtab paper` builds from its flags (conventions §6
 * and §7). Money is in USDC, times in epoch milliseconds.
 */
export const paperSettings = z.strictObject({
  feeds: z.array(feedSettings).min(1),
  /** Cash of the default wallet, `main`. */
  balance: z.number().min(0).default(10_000),
  /** Further wallets; a label made a slug is the connection's id. */
  connections: z.array(connectionSettings).default([]),
  /** Replay seconds a wall second, or as fast as it is consumed; 0 pauses. */
  speed: z.union([z.number().min(0), z.literal('max')]).default(1),
  paused: z.boolean().default(false),
  /** Bars of the feed that are history when the replay starts. */
  warmup: z.int().min(0).default(500),
  port: z.int().min(0).max(65_535).default(8_730),
  /** Which clock rate budgets count: wall time, or the replay's. */
  budget_clock: z.enum(['wall', 'replay']).default('wall'),
  /** `off` lifts both budgets, for fuzzing and benchmarks. */
  limits: z.enum(['on', 'off']).default('on'),
  /** Rate-budget tier of the demo key; the fee tier comes from traded volume. */
  tier: z.enum(TIERS).default('standard'),
  /** Terminal records kept of each kind. */
  retention: z.int().min(1).default(100_000),
  instruments: z.record(symbol, instrumentSettings).default({}),
  half_spread_bps: z.number().min(0).max(1_000).default(1),
  /** Impact of a taker: this many basis points × its share of the bar's volume. */
  impact_bps: z.number().min(0).max(10_000).default(10),
  /** Share of a bar's volume that fills may use. */
  volume_share: z.number().positive().max(1).default(0.1),
  /** Whether a resting order fills when the path touches its price without trading through it. */
  fill_on_touch: z.boolean().default(false),
  /** CSV of `timestamp,funding_rate` by symbol; without one, 0.00125 % an hour. */
  funding: z.record(symbol, z.string().min(1)).default({}),
});

/** Checked settings, every default filled in. */
export type PaperSettings = z.infer<typeof paperSettings>;
/** Settings as a user writes them. */
export type PaperSettingsInput = z.input<typeof paperSettings>;
