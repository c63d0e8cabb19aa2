import { z } from 'zod';

/** Objectives by which a sweep ranks its points; higher is better for each. */
export const OBJECTIVES = ['sharpe', 'sortino', 'calmar', 'pnl', 'profit_factor'] as const;
export type Objective = (typeof OBJECTIVES)[number];

const walkForward = z
  .strictObject({
    kind: z.enum(['rolling', 'anchored']).meta({
      description:
        '`rolling`: each training as long as the first; `anchored`: each from the beginning.',
    }),
    train_days: z.number().positive().meta({ description: 'Length of the first training, days.' }),
    test_days: z.number().positive().meta({ description: 'Length of each test, days.' }),
  })
  .meta({ description: 'Trains on one window and tests the best point on the next, repeatedly.' });

/** Values of parameters that `trimtab sweep` tries. */
export const sweepSettings = z
  .strictObject({
    params: z
      .record(
        z.string().min(1),
        z.union([
          z.string().min(1),
          z.array(z.union([z.number(), z.string(), z.boolean()])).min(1),
        ]),
      )
      .meta({
        description:
          'By parameter (`NAME`, or `STRATEGY.NAME`): a range `5..50:5`, values `a,b,c`, or a list.',
      }),
    objective: z.enum(OBJECTIVES).default('sharpe').meta({
      description:
        'What ranks the points; a ratio needs seven whole UTC days, else the P&L ranks; without a loss it is infinite.',
    }),
    random: z.int().positive().optional().meta({
      description: 'Draws this many points of the grid instead of all.',
    }),
    walk_forward: walkForward.optional(),
  })
  .meta({ description: 'What `trimtab sweep` tries; a bot that trades ignores it.' });
export type SweepSettings = z.output<typeof sweepSettings>;
