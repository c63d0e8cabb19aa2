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
  /** The process begins with this snapshot of the wallet: only the first counts. */
  adopt(snapshot: Shown): void;
  has(snapshot: Shown, fill: FillRecord): boolean;
  /** The process began after it: the position that was taken over holds it, and nobody is told. False before {@link Booked.adopt}. */
  isEarlier(fill: FillRecord): boolean;
}

export function createBooked(): Booked {
  let adopted: Shown | undefined;
  let last = '';
  let backMs = 0;

  function has({ account, positions }: Shown, { fill_id: id, symbol, time }: FillRecord): boolean {
    // A position tells its last fill; of a flat one there is only the time at which it was shown.
    const asOf = positions.get(symbol)?.updated_time ?? account.time;
    const at = time + backMs;
    if (at !== asOf) return at < asOf;
    return id !== last || at < account.time;
  }

  return {
    inTurn({ fill_id: id }) {
      last = id;
    },
    setBack(byMs) {
      backMs += byMs;
    },
    adopt(snapshot) {
      adopted ??= snapshot;
    },
    has,
    isEarlier: (fill) => adopted !== undefined && has(adopted, fill),
  };
}
