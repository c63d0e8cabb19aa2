/**
 * Lanes of the rate budget, most urgent first (reliability: *Budget*). A lane is admitted only if what remains
 * covers the reserves of the lanes above it, so exits are never starved by entries or reads.
 *
 * ```ts
 * LANES[0]; // => 'control'
 * ```
 */
export const LANES = ['control', 'exit', 'lookup', 'entry', 'read'] as const;
export type Lane = (typeof LANES)[number];

/** 0 for the most urgent lane. */
export function priorityOf(lane: Lane): number {
  return LANES.indexOf(lane);
}

/** Cancels, stops and exits. */
export const isUrgent = (lane: Lane): boolean => priorityOf(lane) <= priorityOf('exit');
