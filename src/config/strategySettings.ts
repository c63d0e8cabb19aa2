import { z } from 'zod';
import { symbolName } from '../contract/index.ts';

const restartSettings = z
  .strictObject({
    max: z.int().positive().max(100).meta({
      description: 'Restarts within `within_seconds`; after them it stays quarantined.',
    }),
    backoff_seconds: z.number().positive().default(30).meta({
      description:
        'Market time before the first restart, seconds; each further one waits twice it.',
    }),
    within_seconds: z.number().positive().default(86_400).meta({
      description: 'Market time in which restarts are counted, seconds.',
    }),
  })
  .meta({
    description: 'Starts the strategy again after it ended by its own fault. Default: never.',
  });

const workerSettings = z.strictObject({
  turn_deadline_seconds: z.number().min(0.01).max(60).default(1).meta({
    description: 'Longest that it may take over one event, seconds; then it is quarantined.',
  }),
  memory_mb: z.int().min(32).max(8_192).default(256).meta({
    description: 'Megabytes of memory that it may use; then it is quarantined.',
  }),
});

/** Whether a strategy runs in the bot's thread or in a worker, which isolates its faults. */
export const isolationSettings = z
  .union([z.enum(['none', 'worker']), z.strictObject({ worker: workerSettings })])
  .transform((given) => {
    if (given === 'none') return null;
    return given === 'worker' ? workerSettings.parse({}) : given.worker;
  });

/**
 * One strategy instance; it is the only owner of its symbols on its wallet, so that its P&L can be
 * separated.
 */
export const strategySettings = z
  .strictObject({
    use: z.string().min(1).meta({
      description: 'The plugin: a path that starts with a dot (from this file), or a package name.',
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
        "Share of the wallet's equity that it may count as its own (above 0, at most 1). Default: an equal part of what the others leave.",
    }),
    isolation: isolationSettings.optional().meta({
      description:
        "`none`: in the bot's own thread; `worker`: in a thread of its own, or { worker: {…} } with its limits. Default: the bot's.",
    }),
    restart: restartSettings.optional(),
    params: z.record(z.string(), z.unknown()).default({}).meta({
      description: "The plugin's parameters; it says which there are.",
    }),
  })
  .meta({ description: 'One strategy instance.' });
