import { z } from 'zod';
import { dialectValues } from '../contract/index.ts';
import { paperSettings } from '../paper/server/PaperSettings.ts';
import { budgetSettings } from './budgetSettings.ts';
import { guardSettings } from './guardSettings.ts';
import { journalSettings } from './journalSettings.ts';
import { linkSettings, SERVICE_KEYS, watchdogSettings } from './linkSettings.ts';
import { operateSettings } from './operateSettings.ts';
import { isolationSettings, strategySettings } from './strategySettings.ts';
import { sweepSettings } from './sweepSettings.ts';
import type { ReservedKey } from './toFaults.ts';

/** What to do with positions and working orders when the bot stops. */
export const STOP_POLICIES = ['leave', 'pause', 'stop', 'flatten'] as const;
export type StopPolicy = (typeof STOP_POLICIES)[number];

/** One YAML file per bot: all settings, with units and defaults. */
export const botSettings = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ . -')
      .meta({
        description:
          'Name of the bot, in its messages, alerts and files. What it sends is identified by wallet and strategy: two bots on one wallet need strategies of different names.',
      }),
    link: linkSettings,
    paper: paperSettings.optional().meta({
      description:
        'The embedded paper service: feeds, wallets, venue. Needed by `link.kind: paper`.',
    }),
    strategies: z.array(strategySettings).min(1).meta({ description: 'Strategies to run.' }),
    isolation: isolationSettings.prefault('none').meta({
      description:
        "Where strategies run unless they set it themselves: `none` (the bot's own thread) or `worker`.",
    }),
    guards: guardSettings.prefault({}),
    protection: z.enum(['reattach', 'off']).default('off').meta({
      description:
        'What to do with a stop that the service retired while its position is open: `reattach` submits it again, once, with its last trigger; `off` leaves it to the strategy.',
    }),
    budget: budgetSettings.prefault({}),
    journal: journalSettings.prefault('memory').meta({
      description:
        'Where every intent is recorded before it is sent: a path, `postgres://…`, `memory`, or its parts.',
    }),
    stop_policy: z.enum(STOP_POLICIES).default('leave').meta({
      description:
        'On stop: `leave` everything as it is; `pause` executions and monitors that may enter (resting orders stay, and may fill); `stop` them and cancel entries, but no protection; or `flatten` positions as well.',
    }),
    stop_seconds: z.number().positive().max(3_600).default(8).meta({
      description:
        'Seconds that a bot has to shut down, its stop policy included; what is still open then is listed. The default is below the ten after which a container is killed.',
    }),
    report: z.string().min(1).optional().meta({
      description: 'HTML report to write at the end, relative to this file. Default: none.',
    }),
    record: z.string().min(1).optional().meta({
      description:
        'File in which to record the input and intents of every strategy, relative to this file; `trimtab replay` runs it again. A start on a service sets the file of the run before aside. Default: none.',
    }),
    dialect: dialectValues.prefault({}).meta({
      description:
        'Names, headers and numbers in which the service differs from the default dialect.',
    }),
    dialect_module: z.string().min(1).optional().meta({
      description: 'Module whose default export changes the shapes of frames and commands.',
    }),
    watchdog: watchdogSettings.optional(),
    operate: operateSettings.optional(),
    sweep: sweepSettings.optional(),
    seed: z.int().min(0).default(1).meta({
      description: 'Seed for the randomness of strategies; the same seed gives the same run.',
    }),
  })
  .meta({ title: 'Trimtab bot', description: 'Configuration of one bot.' });

export type BotSettings = z.output<typeof botSettings>;
/** As it is written in a file: what has a default may be missing. */
export type BotInput = z.input<typeof botSettings>;

const ofServices: ReservedKey = {
  reason: 'belongs to link.kind live or paper_service, and this link is paper',
  remedy: 'Remove it, or set link.kind to the service that the bot shall trade on.',
};

/** Known keys that can't be used in their place, for a better message than "unknown key". */
export const RESERVED_SETTINGS: Readonly<Record<string, ReservedKey>> = {
  ...Object.fromEntries(SERVICE_KEYS.map((key) => [`link.${key}`, ofServices])),
  'link.budget_clock': {
    reason: 'belongs to link.kind paper_service',
    remedy: 'Remove it; the embedded paper service has paper.budget_clock.',
  },
};
