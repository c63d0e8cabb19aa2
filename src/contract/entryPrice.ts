import { z } from 'zod';
import { checkLevelRead, indicatorReadFields, type LevelRead } from './indicatorRead.ts';
import { addFault } from './validation.ts';

/**
 * An indicator-priced entry (spec §2.5, TRK-1): the price is the level at the last closed bar; with
 * `track` it follows the level on each closed bar.
 *
 * `min_move_bps` and `max_drift_bps` are in basis points and belong to tracked entries only.
 */
export type EntryPriceSpec = LevelRead &
  (
    | { track: true; min_move_bps?: number; max_drift_bps?: number }
    | { track?: false; min_move_bps?: never; max_drift_bps?: never }
  );

const loose = z
  .strictObject({
    ...indicatorReadFields,
    track: z.boolean().optional(),
    min_move_bps: z.number().min(0).max(10_000).optional(),
    max_drift_bps: z.number().positive().max(10_000).optional(),
  })
  .superRefine((spec, ctx) => {
    checkLevelRead(ctx, spec);
    if (spec.track === true) return;
    for (const field of ['min_move_bps', 'max_drift_bps'] as const) {
      if (spec[field] !== undefined) {
        addFault(
          ctx,
          [field],
          'needs_track',
          `${field} belongs to a tracked entry; send track: true.`,
        );
      }
    }
  });

export const entryPriceSpec = loose as unknown as z.ZodType<EntryPriceSpec>;
