/**
 * Where a process may die: every place at which something has become true that the next process must
 * find out about. `createReach` ends the process there; `bot/` says which passage of which port each
 * of them is.
 */
export const BOUNDARIES = [
  /** The strategy has decided, and nobody knows. */
  'emit',
  /** The guards have passed it, and nothing is written. */
  'guard',
  /** Its rows are made and not committed; half of them stands in the log's file. */
  'mid-write',
  /** Committed and not synced to the disk (`durability: process`). */
  'written',
  /** Committed and synced. */
  'synced',
  /** `sending` is durable, and no byte has left. */
  'sending recorded',
  /** Half of the request's bytes have left. */
  'half the request written',
  /** All of them have left; no answer has come. */
  'request complete',
  /** The answer is here, and not written. */
  'response received',
  /** As mid-write, for what the answer said. */
  'mid-outcome record',
  /** The outcome is durable, and nobody has been told. */
  'outcome before publish',
  /** In a process that takes up what an earlier one left. */
  'reconciling',
  /** Old intents are leaving the journal. */
  'compaction',
  /** A kill level is being latched, or undone. */
  'latch write',
  /** Asked to end, it does what the stop policy says. */
  'SIGTERM drain',
] as const;
export type Boundary = (typeof BOUNDARIES)[number];
