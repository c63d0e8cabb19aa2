import type { FillRecord } from '../../contract/index.ts';
import type { AccountModel } from '../../streams/index.ts';

/** A wallet as a snapshot showed it. */
export type Shown = Pick<AccountModel, 'account' | 'positions'>;

/** Whether a snapshot of a wallet holds what is told beside it: a fill that is read, or comes late, may be in both. */
export interface Booked {
  /** A fill came as a frame in its turn: after a snapshot of the same instant, it is not in it. */
  inTurn(fill: FillRecord): void;
  /** The service's clock was set back by this much: what it stamps from now on seems older than it is. */
  setBack(byMs: number): void;
  has(snapshot: Shown, fill: FillRecord): boolean;
}

export function createBooked(): Booked {
  let last = '';
  let backMs = 0;
  return {
    inTurn({ fill_id: id }) {
      last = id;
    },
    setBack(byMs) {
      backMs += byMs;
    },
    has({ account, positions }, { fill_id: id, symbol, time }) {
      // A position tells its last fill; of a flat one there is only the time at which it was shown.
      const asOf = positions.get(symbol)?.updated_time ?? account.time;
      const at = time + backMs;
      if (at !== asOf) return at < asOf;
      return id !== last || at < account.time;
    },
  };
}
