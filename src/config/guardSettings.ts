import { z } from 'zod';

const amount = () => z.number().positive();

/**
 * Limits that every intent passes before it is sent; an intent that breaks one is denied, never shrunk.
 */
export const guardSettings = z
  .strictObject({
    max_order_notional: amount().optional().meta({
      description:
        'Largest value of one order or launch, quote units (USD): at the last price, at its own, or at the one for which it waits, whichever is highest.',
    }),
    max_order_size: z.record(z.string().min(1), amount()).default({}).meta({
      description: 'Largest size of one order or launch by symbol, base units.',
    }),
    max_position_notional: amount().optional().meta({
      description:
        'Largest value of one position of a wallet, working entries included, quote units (USD). What waits for a higher price, in a monitor or a GhostSweep, counts at that price. A monitor that re-arms and opens is denied.',
    }),
    max_gross_notional: amount().optional().meta({
      description:
        'Largest sum of all positions and working entries of a wallet, quote units (USD), counted in the same way. A monitor that re-arms and opens is denied.',
    }),
    max_leverage: amount().max(1_000).default(5).meta({
      description:
        'Highest ratio of a wallet’s gross notional to its equity, and highest leverage to set (times).',
    }),
    allowed_symbols: z.array(z.string().min(1)).min(1).optional().meta({
      description: 'Symbols that may be traded. Default: those of the strategies.',
    }),
    max_intents_per_minute: z.int().positive().default(120).meta({
      description: 'Intents of one strategy in any 60 s of market time.',
    }),
    max_entries_per_hour: z.int().positive().optional().meta({
      description:
        'Entries of one strategy in any hour of market time; one more keeps it from entering until trimtab rearm. Default: no limit.',
    }),
    max_concurrent_executions: z.int().positive().default(10).meta({
      description:
        'Executions that may run at once in a wallet, whoever started them. Those that run count, and so does what may start without another decision: launches and resumes without an answer, every leg of a basket, a monitor that launches. What only reduces counts while it runs or is on its way, and is never denied.',
    }),
    daily_loss_limit: amount().optional().meta({
      description:
        'Loss of a wallet since 00:00 UTC at which it takes no new exposure until the next 00:00 UTC, whatever is regained; deposits and withdrawals don’t count; quote units (USD).',
    }),
    maintained_rows_policy: z.enum(['refuse', 'replace_least_important']).default('refuse').meta({
      description:
        "When the wallet's 20 rows of trails and tracked entries are in use: `refuse` what needs one more, or `replace_least_important`, which cancels the bot's own tracked entry that is farthest from the market.",
    }),
    max_uncovered_seconds: z
      .union([amount(), z.literal('off')])
      .optional()
      .meta({
        description:
          'How long a position may be open without an acknowledged stop before its wallet takes no new exposure, seconds of market time; `off` for no limit, which a live bot must write. Default: no limit.',
      }),
    warn_uncovered_seconds: amount().optional().meta({
      description:
        'Seconds after which a position without an acknowledged stop is logged as a warning, once until it is covered. Default: never.',
    }),
    price_collar_bps: amount().max(10_000).default(500).meta({
      description:
        'How far the outermost price at which an entry may trade may be from the last one, basis points; of a monitor or a GhostSweep, from the price that triggers it. Of an algorithm this is `limit_price`, the edge of the band that its side reaches last, or the sweep limit (by default 100 beyond the trigger). Market orders have no price of their own and are exempt.',
    }),
    max_decision_age_seconds: amount().optional().meta({
      description:
        "Highest age of the bar or event that caused an entry when it is sent: seconds of market time since the bar's close or the event. Default: the bar's interval, at most 300 s.",
    }),
    max_data_age_seconds: amount().default(10).meta({
      description:
        'Age of the data beyond its bar interval, above which entries are denied, seconds.',
    }),
  })
  .meta({ description: 'Limits checked before anything is sent. Exits that only reduce pass.' });
export type GuardSettings = z.output<typeof guardSettings>;
