import { z } from 'zod';
import { requireSafeDatabase } from './databaseUrl.ts';
import { secretReference } from './linkSettings.ts';
import type { Secret } from './Secret.ts';

/** How much of the key's rate budget is used, and how much is reserved for exits (LIM-1). */
export const budgetSettings = z
  .strictObject({
    share: z.number().positive().max(1).default(0.9).meta({
      description: "Largest share of the key's weight per minute that the bot uses (0 to 1).",
    }),
    reserve_share: z.number().min(0).max(0.9).default(0.3).meta({
      description: 'Share of that reserved for stops, cancels and exits (0 to 0.9).',
    }),
    weight_per_minute: z.int().positive().optional().meta({
      description:
        "Weight per minute to assume. Default: as reported by the service's rate-limits endpoint.",
    }),
    shared: z
      .union([z.literal(false), z.string().superRefine(requireSafeDatabase), secretReference])
      .optional()
      .meta({
        description:
          'PostgreSQL database in which processes with one key share its budget, as `postgres://user@host/database`, { env: NAME } or { file: PATH }; `false`: not shared. Default: the journal, where it is such a database.',
      }),
  })
  .meta({ description: 'Use of the rate budget, in weight a minute.' });

/** As written in the file. */
export type WrittenBudget = z.infer<typeof budgetSettings>;

/** The same, with all references read. */
export interface BudgetSettings extends Omit<WrittenBudget, 'shared'> {
  /** A PostgreSQL database, password included; null if this process is the only user of the key. */
  shared: Secret | null;
}
