import { z } from 'zod';
import { symbolName } from '../contract/index.ts';

const restartSettings = z
  .strictObject({
    max: z.int().positive().max(100).meta({
      description: 'Most restarts within `within_seconds`; beyond them it stays quarantined.',
    }),
    backoff_seconds: z.number().positive().default(30).meta({
      description: 'Market time before the first restart, seconds; doubled for each further one.',
    }),
    within_seconds: z.number().positive().default(86_400).meta({
      description: 'Market time in which restarts are counted, seconds.',
    }),
  })
  .meta({
    description: 'Restarts the strategy after it failed. Default: never.',
  });

const workerSettings = z.strictObject({
  turn_deadline_seconds: z.number().min(0.01).max(60).default(1).meta({
    description:
      'Longest time that it may take for one event, seconds; beyond that it is quarantined.',
  }),
  memory_mb: z.int().min(32).max(8_192).default(256).meta({
    description: 'Megabytes of memory that it may use; beyond that it is quarantined.',
  }),
});

/** Whether a strategy runs in the bot's thread or in a worker, which isolates its faults. */
export const isolationSettings = z
  .union([z.enum(['none', 'worker']), z.strictObject({ worker: workerSettings })])
  .transform((given) => {
    if (given === 'none') return null;
    return given === 'worker' ? workerSettings.parse({}) : given.worker;
  });

/** A part of a whole: `0.1` or, as people write it, `10 %`. */
const part = z.union([
  z.number().positive().max(1),
  z
    .string()
    .regex(/^\d{1,3}(\.\d+)? ?%$/, 'must be a number above 0 and at most 1, or such as 10 %')
    .transform((text) => Number.parseFloat(text) / 100)
    .pipe(z.number().positive().max(1)),
]);

/** Another version of a strategy, which runs beside it and sends nothing. */
const shadowSettings = z
  .strictObject({
    use: z.string().min(1).meta({
      description: 'Its plugin, as `use` of the strategy names one.',
    }),
    params: z.record(z.string(), z.unknown()).default({}).meta({
      description: "The plugin's parameters, as it declares them.",
    }),
    canary: part.default(0.1).meta({
      description:
        "Part of the strategy's capital that it trades with at the stage canary: above 0 and at most 1, or such as `10 %`. Default: 0.1.",
    }),
    isolation: isolationSettings.prefault('worker').meta({
      description:
        'Limits of the thread in which the version that does not trade runs: `worker`, or { worker: {…} }; `none`: the widest, 10 s and 512 MB. The one that trades runs as `isolation` of the strategy says.',
    }),
  })
  .meta({
    description:
      'A new version that gets the same candles on a virtual account and sends nothing; see trimtab compare-live. Default: none.',
  });

/**
 * One strategy instance; it is the only owner of its symbols on its wallet, so that its P&L can be
 * separated.
 */
export const strategySettings = z
  .strictObject({
    use: z.string().min(1).meta({
      description:
        'The plugin: a path that starts with a dot (relative to this file), or a package with its export, such as my-package/strategy.',
    }),
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ . -')
      .meta({
        description:
          'Name of this instance, unique in the file. It is part of its identity: keep it.',
      }),
    symbols: z.array(symbolName).min(1).meta({ description: 'Symbols that it trades.' }),
    wallet: z.string().min(1).optional().meta({
      description: 'Id of the connection that it trades on. Default on paper: main; live needs it.',
    }),
    capital_share: z.number().positive().max(1).optional().meta({
      description:
        "Share of the wallet's equity that it may count as its own (above 0, at most 1). Default: an equal share of what the others leave.",
    }),
    isolation: isolationSettings.optional().meta({
      description:
        "`none`: in the bot's own thread; `worker`: in its own thread, or { worker: {…} } with its limits. Default: the bot's.",
    }),
    restart: restartSettings.optional(),
    shadow: shadowSettings.optional(),
    params: z.record(z.string(), z.unknown()).default({}).meta({
      description: "The plugin's parameters, as it declares them.",
    }),
  })
  .meta({ description: 'One strategy instance.' });
