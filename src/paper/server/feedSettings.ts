import { z } from 'zod';
import { INTERVALS } from '../../contract/index.ts';

/** A symbol: the venue's name for it; a slash means spot, a colon a third-party perp. */
export const symbolSetting = z.string().min(1).max(64).meta({
  description: 'Symbol as the venue names it: a slash means spot, a colon a third-party perp.',
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
    .meta({ description: 'Number of bars, history included.' }),
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

const candlePath = z.string().min(1).meta({
  description:
    'Candles: CSV, plain or .gz, with a header timestamp,open,high,low,close,volume, Parquet, or a cache of `trimtab data import`.',
});
const FILES = ['path', 'trades', 'book', 'snapshot'] as const;
/** Candles, or recorded trades from which bars are built, or both; with the book if there is one. */
const fileFeed = z
  .strictObject({
    symbol: symbolSetting,
    interval,
    path: candlePath.optional(),
    trades: z.string().min(1).optional().meta({
      description:
        'Recorded trades, CSV, .gz or .zip: source of the bars that they cover, and of fills of resting orders.',
    }),
    book: z.string().min(1).optional().meta({
      description:
        'Recorded book, CSV, .gz or .zip: source of bid and ask, and of the depth that takers walk.',
    }),
    snapshot: z.string().min(1).optional().meta({
      description: 'The snapshot of the book at the start of a depth stream, CSV, .gz or .zip.',
    }),
  })
  // What names no file at all is generated.
  .refine((feed) => FILES.some((name) => feed[name] !== undefined));
const generatedFeed = z.strictObject({
  symbol: symbolSetting,
  interval,
  generate: generateSettings
    .prefault({})
    .meta({ description: 'A generated tape instead of a file.' }),
});

/** One symbol's market: from files, or generated from a seed. */
export const feedSettings = z
  .union([fileFeed, generatedFeed])
  // Of the whole: what one of two shapes lacks gives way to what the other says of the same feed.
  .check(({ value, issues }) => {
    if ('generate' in value) return;
    const fault = (path: string, message: string): void =>
      void issues.push({ code: 'custom', input: value, path: [path], message });
    if (value.path === undefined && value.trades === undefined) {
      fault('path', 'a feed needs candles (path) or recorded trades');
    }
    if (value.snapshot !== undefined && value.book === undefined) {
      fault('snapshot', 'a snapshot belongs to a book, and none is named');
    }
  });
export type FeedSettings = z.infer<typeof feedSettings>;
