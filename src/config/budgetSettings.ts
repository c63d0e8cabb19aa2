import { z } from 'zod';

/** How much of the key's rate budget is used, and what of it is kept for exits (LIM-1). */
export const budgetSettings = z
  .strictObject({
    share: z.number().positive().max(1).default(0.9).meta({
      description: "Share of the key's weight a minute that the bot uses at most (0 to 1).",
    }),
    reserve_share: z.number().min(0).max(0.9).default(0.3).meta({
      description: 'Share of that kept free for stops, cancels and exits (0 to 0.9).',
    }),
    weight_per_minute: z.int().positive().optional().meta({
      description:
        "Weight a minute to assume. Default: what the service's rate-limits answer says.",
    }),
  })
  .meta({ description: 'Use of the rate budget, in weight a minute.' });

export type BudgetSettings = z.infer<typeof budgetSettings>;
