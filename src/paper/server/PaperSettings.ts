import { z } from 'zod';
import { CONNECTION_STATUSES, INTERVALS, TIERS } from '../../contract/index.ts';
import { feeSettings } from './feeSettings.ts';
import { fundingSettings } from './fundingSettings.ts';

/** A symbol: the venue's name for it; a slash means spot, a colon a third-party perp. */
const symbol = z.string().min(1).max(64).meta({
  description: 'What the venue calls it: a slash means spot, a colon a third-party perp.',
});
const interval = z
  .enum(INTERVALS)
  .meta({ description: 'Length of a bar; every longer interval is served too.' });

/** A tape that is generated from a seed: the same settings give the same bytes on every machine. */
export const generateSettings = z.strictObject({
  seed: z
    .union([z.string().min(1), z.int()])
    .default('trimtab')
    .meta({ description: 'The same seed makes the same bars.' }),
  bars: z
    .int()
    .min(2)
    .max(10_000_000)
    .default(20_000)
    .meta({ description: 'How many bars, history included.' }),
  start_price: z
    .number()
    .positive()
    .default(60_000)
    .meta({ description: 'Price of the first bar, quote units.' }),
  start_time: z.int().min(0).default(1_735_689_600_000).meta({
    description: 'Open time of the first bar, epoch milliseconds, aligned down to its interval.',
  }),
  volatility_bps: z
    .number()
    .positive()
    .max(500)
    .default(8)
    .meta({ description: 'Typical move of one bar, basis points of the price.' }),
  volume: z
    .number()
    .positive()
    .default(40)
    .meta({ description: 'Typical volume of one bar, base units.' }),
  outage_every_bars: z.int().min(0).max(1_000_000).default(0).meta({
    description: 'Bars between outages of 8 bars, which make data stale. Default: none.',
  }),
});
export type GenerateSettings = z.infer<typeof generateSettings>;

const candlePath = z.string().min(1).meta({
  description:
    'Candles: CSV, plain or .gz, with a header timestamp,open,high,low,close,volume, Parquet, or a cache of `trimtab data import`.',
});
/** Candles, or recorded trades from which bars are built, or both; with the book if there is one. */
const fileFeed = z
  .strictObject({
    symbol,
    interval,
    path: candlePath.optional(),
    trades: z.string().min(1).optional().meta({
      description:
        'Recorded trades, CSV or .gz: they make the bars that they cover, and fill what rests.',
    }),
    book: z.string().min(1).optional().meta({
      description: 'Recorded book, CSV or .gz: bids and asks, and what takers walk.',
    }),
    snapshot: z.string().min(1).optional().meta({
      description: 'The whole book that a depth stream begins with, CSV or .gz.',
    }),
  })
  .check(({ value, issues }) => {
    const fault = (path: string, message: string): void =>
      void issues.push({ code: 'custom', input: value, path: [path], message });
    if (value.path === undefined && value.trades === undefined) {
      fault('path', 'a feed needs candles (path) or recorded trades');
    }
    if (value.snapshot !== undefined && value.book === undefined) {
      fault('snapshot', 'a snapshot belongs to a book, and none is named');
    }
  });
const generatedFeed = z.strictObject({
  symbol,
  interval,
  generate: generateSettings.prefault({}).meta({ description: 'A made tape instead of a file.' }),
});

/** One symbol's market: from files, or generated from a seed. */
export const feedSettings = z.union([fileFeed, generatedFeed]);
export type FeedSettings = z.infer<typeof feedSettings>;

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
      'Most decimals of a price, within 5 significant figures. Default: from size_decimals and the feed.',
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
export type InstrumentSettings = z.infer<typeof instrumentSettings>;

export const connectionSettings = z.strictObject({
  label: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: "Its name; made a slug it is the wallet's id." }),
  balance: z.number().min(0).default(10_000).meta({ description: 'Its cash, USDC.' }),
  status: z
    .enum(CONNECTION_STATUSES)
    .default('active')
    .meta({ description: 'State of the connection (CON-1).' }),
});

const delayMs = z.number().min(0).max(600_000);
/** A latency, milliseconds of the replay. */
const delaySettings = z
  .union([
    delayMs.meta({ description: 'Milliseconds, always the same.' }),
    z
      .strictObject({
        median: delayMs.positive().meta({ description: 'Half are faster, milliseconds.' }),
        p99: delayMs.positive().meta({ description: '99 of 100 are faster, milliseconds.' }),
      })
      .refine(({ median, p99 }) => p99 >= median, {
        path: ['p99'],
        message: '99 of 100 are faster than p99, so that it is at least the median',
      }),
  ])
  .default(0);

/** Latencies of requests and of events. */
export const latencySettings = z.strictObject({
  order_ms: delaySettings.meta({
    description: 'From a decision until the service acts on the order, milliseconds.',
  }),
  cancel_ms: delaySettings.meta({
    description: 'The same for what cancels, stops or pauses, milliseconds.',
  }),
  data_ms: delaySettings.meta({
    description: 'From an event at the venue until its frame is seen, milliseconds.',
  }),
});

/**
 * Section `paper` of a configuration, and what `trimtab paper` builds from its flags (conventions §6
 * and §7). Money is in USDC, times in epoch milliseconds.
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
    .meta({ description: 'Replay seconds a second, or max: as fast as it is consumed; 0 pauses.' }),
  paused: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether the replay waits to be stepped.' }),
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
    .meta({ description: "Which time rate budgets count: the wall's or the replay's." }),
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
    .meta({ description: 'Terminal records kept of each kind.' }),
  instruments: z
    .record(symbol, instrumentSettings)
    .default({})
    .meta({ description: 'What differs of an instrument, by symbol.' }),
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
    description: 'Whether a touch of its price fills a resting order, without trading through it.',
  }),
  latency: latencySettings.prefault({}).meta({
    description:
      "Times on the way, in the replay's milliseconds: a number, or median and p99 of a log-normal distribution. Default: 0.",
  }),
  state: z.string().min(1).optional().meta({
    description:
      'File that keeps accounts, orders, keys with their secrets, and the rest across restarts (mode 0600). Only trimtab paper keeps one. Default: none.',
  }),
  funding: z.record(symbol, fundingSettings).default({}).meta({
    description:
      'By symbol a file (CSV of timestamp,funding_rate, or a cache), or one rate: `{ rate_bps: 0.125, interval: 1h }`. Default: 0.00125 % an hour.',
  }),
});

/** Checked settings, every default filled in. */
export type PaperSettings = z.infer<typeof paperSettings>;
/** Settings as a user writes them. */
export type PaperSettingsInput = z.input<typeof paperSettings>;
