import type { FillRecord } from '../../contract/index.ts';
import type { AccountModel } from '../../streams/index.ts';

/** A wallet as a snapshot showed it. */
export type Snapshot = Pick<AccountModel, 'account' | 'positions'>;

/**
 * Which fills are part of a wallet's snapshots already: one that is read, or comes late, may be in both.
 *
 * By time: the account was shown at 12:00:30, and the last fill of its BTC position was at 12:00:10. A BTC fill of 12:00:05
 * is in the snapshot, one of 12:00:20 is not, since the position would say so; an ETH fill of 12:00:20 is, as the wallet has
 * no ETH position that could say when it last changed.
 */
export interface SnapshotCoverage {
  /** The wallet was shown as a whole. */
  shown(snapshot: Snapshot): void;
  /** A fill came as a frame in its turn: after a snapshot of the same instant, it is not in it. */
  inTurn(fill: FillRecord): void;
  /** The service's clock was set back by this much: what it stamps from now on seems older than what was shown before. */
  setBack(byMs: number): void;
  /** Whether the last snapshot has the fill. */
  includesFill(fill: FillRecord): boolean;
  /**
   * Whether the first snapshot of this process has it: the position that was taken over holds it, and nobody is told.
   * False before that.
   */
  isEarlier(fill: FillRecord): boolean;
}

interface Dated extends Snapshot {
  /** By how much the clock had been set back when it was shown. */
  backMs: number;
}

export function createSnapshotCoverage(): SnapshotCoverage {
  let first: Dated | undefined;
  let last: Dated | undefined;
  let lastInTurn = '';
  /** Since the process began. */
  let backMs = 0;

  function includes(snapshot: Dated, { fill_id: id, symbol, time }: FillRecord): boolean {
    const { account, positions } = snapshot;
    // A position tells its last fill; of a flat one there is only the time at which it was shown.
    const changed = positions.get(symbol)?.updated_time ?? account.time;
    // One that changed later than it was shown did so before the clock was set back.
    const asOf = snapshot.backMs > 0 ? Math.min(changed, account.time) : changed;
    const at = time + backMs - snapshot.backMs;
    if (at !== asOf) return at < asOf;
    return id !== lastInTurn || at < account.time;
  }

  return {
    shown({ account, positions }) {
      last = { account, positions, backMs };
      first ??= last;
    },
    inTurn({ fill_id: id }) {
      lastInTurn = id;
    },
    setBack(byMs) {
      backMs += byMs;
    },
    includesFill: (fill) => last !== undefined && includes(last, fill),
    isEarlier: (fill) => first !== undefined && includes(first, fill),
  };
}
