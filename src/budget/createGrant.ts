import type { LedgerClasses, LedgerTurn } from './BudgetLedger.ts';
import { isUrgent, type Lane } from './lanes.ts';

/** Weight that the ledger granted to this process: what is held, and what is needed beyond it. */
export interface Grant {
  /** What a request of this lane may spend without asking the ledger. */
  inHand(lane: Lane): number;
  /** A request wants to be sent. */
  demand(lane: Lane, weight: number): void;
  /** @returns whether this is more than was needed so far */
  need(lane: Lane, weight: number): boolean;
  isShort(): boolean;
  /** Forgets what nothing has demanded for a while. */
  forget(): void;
  /** What a turn asks for and gives back; a process that is idle holds nothing that another waits for. */
  toTurn(isContended: boolean): Pick<LedgerTurn, 'held' | 'wanted' | 'needed'>;
  /** What a turn gave back is no longer this process's, even if the answer never comes. */
  giveBack(held: LedgerClasses): void;
  /** What the ledger answered. */
  take(held: LedgerClasses): void;
  /** Ordinary weight first: what is held for exits stays as long as it can. */
  spend(weight: number): void;
  total(): number;
}

/** Weight that a process holds ready for its next exit, so that no exit waits for the ledger. */
const URGENT_FLOAT = 25;
/** The same for its next entry, while no other process waits. */
const ORDINARY_FLOAT = 20;
/** If something waits, or was sent, this recently, it is worth holding more than the float. */
const DEMAND_MS = 2_000;
/** Nothing will ask again for what waited: it was sent otherwise or dropped. */
const FORGOTTEN_MS = 1_000;
const NONE: LedgerClasses = { urgent: 0, ordinary: 0 };

/** @param now monotonic milliseconds */
export function createGrant(now: () => number): Grant {
  let held = NONE;
  let needed = NONE;
  let neededAt = -Infinity;
  let largest = ORDINARY_FLOAT;

  return {
    inHand: (lane) => (isUrgent(lane) ? held.urgent : 0) + held.ordinary,
    demand(lane, weight) {
      neededAt = now();
      if (!isUrgent(lane)) largest = Math.max(largest, weight);
    },
    need(lane, weight) {
      const kind = isUrgent(lane) ? 'urgent' : 'ordinary';
      const isNew = needed[kind] < weight;
      needed = { ...needed, [kind]: Math.max(needed[kind], weight) };
      return isNew;
    },
    isShort: () => needed.urgent + needed.ordinary > 0,
    forget() {
      if (now() - neededAt > FORGOTTEN_MS) needed = NONE;
    },
    toTurn(isContended) {
      const isIdle = now() - neededAt > DEMAND_MS;
      if (isIdle) largest = ORDINARY_FLOAT;
      const ordinary = isIdle && isContended ? 0 : largest;
      return {
        held: {
          urgent: Math.max(0, held.urgent),
          // What is needed was demanded, so that no more of it is needed than is wanted.
          ordinary: Math.max(0, Math.min(held.ordinary, ordinary)),
        },
        wanted: { urgent: URGENT_FLOAT, ordinary },
        needed,
      };
    },
    giveBack(rest) {
      held = rest;
    },
    take(granted) {
      held = granted;
      if (held.ordinary >= needed.ordinary) needed = { ...needed, ordinary: 0 };
      if (held.ordinary + held.urgent >= needed.urgent) needed = { ...needed, urgent: 0 };
    },
    spend(weight) {
      const ordinary = Math.min(weight, Math.max(0, held.ordinary));
      held = { urgent: held.urgent - (weight - ordinary), ordinary: held.ordinary - ordinary };
    },
    total: () => held.urgent + held.ordinary,
  };
}
