import type { z } from 'zod';

/** What a plugin persists across restarts: its shape, and the migration from an older version. */
export interface StateDefinition<S extends z.ZodType = z.ZodType> {
  /** A whole number from 1; it grows with every change of the shape. */
  version: number;
  schema: S;
  /** What an instance starts with; `{}` when left out. */
  initial?: z.input<S>;
  /**
   * Allows writes in warm-up, as for a count that the same bars give again each time; default false. A restart
   * warms up on bars that were decided before, so it would overwrite newer values with those of old bars.
   */
  writesInWarmUp?: boolean;
  /**
   * Converts a state of an older version into this one's shape. It must give the same result each time: it runs
   * at every start until the strategy sets its state.
   */
  migrate?(old: unknown, fromVersion: number): z.input<S>;
}

/** A schema alone is version 1 of itself. */
export function toStateDefinition(state: z.ZodType | StateDefinition): StateDefinition {
  return isStateDefinition(state) ? state : { version: 1, schema: state };
}

export function isStateDefinition(state: unknown): state is StateDefinition {
  return typeof state === 'object' && state !== null && !('_zod' in state);
}
