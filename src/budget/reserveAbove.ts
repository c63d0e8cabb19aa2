import { priorityOf, type Lane } from './lanes.ts';

/**
 * Share of the allowance, and minimum weight, that entries and reads leave to reconciliation queries: under a
 * constant load of entries, the outcome of an unanswered one would otherwise never be found out.
 */
const LOOKUP_SHARE = 0.03;
const LOOKUP_FLOOR = 4;

/** What the reserves of a budget follow from; weights. */
export interface Reserves {
  /** What the bot allows itself of the service's limit. */
  allowance: number;
  reserveShare: number;
  reserveFloor: number;
  /** What it would cost to close everything that is open. */
  exitWeight: number;
}

/** Weight that must stay free for the lanes above `lane`. */
export function reserveAbove(
  lane: Lane,
  { allowance, reserveShare, reserveFloor, exitWeight }: Reserves,
): number {
  if (priorityOf(lane) <= priorityOf('exit')) return 0;
  const reserve = Math.max(allowance * reserveShare, reserveFloor + exitWeight);
  // A budget too small for the reserve must still admit something, or nothing would ever be sent.
  const forExits = Math.min(reserve, allowance / 2);
  if (lane === 'lookup') return forExits;
  return forExits + Math.max(LOOKUP_FLOOR, allowance * LOOKUP_SHARE);
}
