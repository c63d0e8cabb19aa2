/**
 * The points at which a process may die: each has changed something that the next process must detect.
 * `createReach` ends the process there; `bot/` maps each to a call of a port.
 */
export const BOUNDARIES = [
  /** The strategy has decided, nothing is recorded. */
  'emit',
  /** The guards have passed it, nothing is journaled. */
  'guard',
  /** Its rows are written and not committed; half of them are in the log file. */
  'mid-write',
  /** Committed and not synced to the disk (`durability: process`). */
  'written',
  /** Committed and synced. */
  'synced',
  /** `sending` is durable, and no byte has left. */
  'sending recorded',
  /** Half of the request's bytes have left. */
  'half the request written',
  /** All of them were sent; no response has arrived. */
  'request complete',
  /** The response has arrived and is not journaled. */
  'response received',
  /** As mid-write, for the outcome. */
  'mid-outcome record',
  /** The outcome is durable, but not yet reported. */
  'outcome before publish',
  /** In a process that recovers an earlier one's intents. */
  'reconciling',
  /** Old intents are leaving the journal. */
  'compaction',
  /** A kill level is being latched, or undone. */
  'latch write',
  /** Asked to stop, it applies the stop policy. */
  'SIGTERM drain',
] as const;
export type Boundary = (typeof BOUNDARIES)[number];
