import type { BudgetOptions } from './Budget.ts';
import { isUrgent, type Lane } from './lanes.ts';
import { GHOST_MS, shareAlone, SILENT_AFTER_MS } from './takeTurn.ts';

/** A process that can't reach the ledger any more, and what it knew last. */
export interface AloneState extends Pick<BudgetOptions, 'share' | 'reserveShare' | 'windowMs'> {
  limit: number;
  /** Processes that shared the key. */
  members: number;
  /** Since the last answer. */
  silentMs: number;
  /** Whether all others count this process: one that has just joined may be unknown to some. */
  isCounted: boolean;
  inHand: number;
  /** By this process within the window. */
  used: number;
  /** Spending beyond what was held when the ledger became unreachable. */
  spentAlone: number;
}

/** After this time the others, if they still reach the ledger, count this process's share as free again. */
const ALONE_MS = GHOST_MS * 0.75;

/**
 * For one window it is unknown what the others had been granted when the ledger became unreachable: only what
 * is held may be spent, and for exits a part of the headroom that the share leaves. After that all earlier
 * spending has left the window, and 1/(n + 1) each is safe: those who reach the ledger reserve that, whoever joins.
 */
export function admitAlone(lane: Lane, weight: number, state: AloneState): boolean {
  const { limit, share, silentMs } = state;
  if (silentMs < SILENT_AFTER_MS && weight <= state.inHand) return true;
  if (!state.isCounted || silentMs < state.windowMs + SILENT_AFTER_MS) {
    const headroom = (limit * (1 - share)) / state.members;
    return isUrgent(lane) && state.spentAlone + weight <= headroom;
  }
  if (!isUrgent(lane) && silentMs > ALONE_MS) return false;
  const allowance = limit * shareAlone(share, state.members);
  const reserve = isUrgent(lane) ? 0 : allowance * state.reserveShare;
  return state.used + reserve + weight <= allowance;
}
